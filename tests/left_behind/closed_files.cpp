// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Closes a descriptor that it was given: not taken back.
//
// isolation: fork
#include <unistd.h>

#include "left_behind.h"

int main() {
  assert(close(0) == 0);
  in_two_threads([](int) { assert(close(0) == -1); });
}
