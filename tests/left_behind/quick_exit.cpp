// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// quick_exit with its handlers.
//
// isolation: repeat
#include <unistd.h>
#include <cstdio>
#include <cstdlib>

#include "left_behind.h"

int main() {
  std::at_quick_exit([] { [[maybe_unused]] const long n = write(1, "quick\n", 6); });
  in_two_threads([](int) {});
  std::quick_exit(0);
}
