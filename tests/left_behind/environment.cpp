// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Environment, arguments, and thread-local storage of the main thread.
//
// isolation: repeat
#include <cstdlib>
#include <cstring>

#include "left_behind.h"

thread_local int local = 3;

int main(int, char** argv) {
  assert(std::getenv("LEFT_BEHIND") == nullptr && argv[0][0] != '#' && local == 3);
  argv[0][0] = '#';
  local = 4;
  in_two_threads([](int) { assert(local++ == 3); });
  setenv("LEFT_BEHIND", "1", 1);
}
