// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Handlers and destructors run at each exit, once, in order.
//
// isolation: repeat
#include <cstdio>
#include <cstdlib>

#include "left_behind.h"

struct Last {
  ~Last() { std::puts("destructor"); }
} last;
int handlers = 0;

int main() {
  assert(handlers == 0);
  std::atexit([] {
    assert(++handlers == 2);
    std::puts("second");
  });
  std::atexit([] {
    assert(++handlers == 1);
    std::puts("first");
  });
  in_two_threads([](int) {});
  std::exit(0);
}
