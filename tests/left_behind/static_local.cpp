// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A static that was initialised, a global that was changed, a destructor that ran.
//
// isolation: repeat
#include "left_behind.h"

struct Register {
  Register() { ++made; }
  ~Register() { made = -1; }
  static inline int made = 0;
} global;
int plain = 7;
std::atomic<int> calls{0};

int count() {
  static int initialised = calls.fetch_add(1) + 1;
  return initialised;
}

int main() {
  assert(Register::made == 1 && plain == 7);
  plain = 8;
  in_two_threads([](int) { assert(count() == 1); });
}
