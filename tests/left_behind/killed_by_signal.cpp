// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Ends its process by a signal that nobody handles.
//
// isolation: fork
#include <signal.h>

#include "left_behind.h"

int main() {
  in_two_threads([](int) {});
  raise(SIGTERM);
}
