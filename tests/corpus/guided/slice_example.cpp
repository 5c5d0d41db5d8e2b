// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The example of slice-n-dice: whether the first thread throws depends on what the second one adds to x, and not on the
// third one, which only reads it. LIMIT=60: nobody can make x that large.
#include <atomic>
#include <stdexcept>
#include <thread>

#ifndef LIMIT
#define LIMIT 6
#endif

std::atomic<int> x{0};
std::atomic<int> z{0};
std::atomic<int> m{0};

void t0() {
  x = x + 1;                                     // here: increment
  if (x > LIMIT) {                               // here: test
    throw std::runtime_error("x is too large");  // here: throw
  }
}

void t1() {
  int h = 5;
  int y = h + 1;
  x = x + y;  // here: add
  y *= 2;
  m = x * y;
  if (m >= 84) y *= 4;
}

void t2() {
  for (int i = 0; i < 5; ++i) z = z + x;  // here: read only
}

int main() {
  std::thread first(t0);
  std::thread second(t1);
  std::thread third(t2);
  first.join();
  second.join();
  third.join();
}
