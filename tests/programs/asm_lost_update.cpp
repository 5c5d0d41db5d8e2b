// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A count in inline assembly that is loaded and stored, not added to: another thread comes in between.
//
// expect: kind=assertion preemptions=1
#include <cassert>
#include <thread>

static int count = 0;

static void add_one() {
  int value;
  asm volatile("movl %1, %0" : "=r"(value) : "m"(count) : "memory");
  ++value;
  asm volatile("movl %1, %0" : "=m"(count) : "r"(value) : "memory");
}

int main() {
  std::thread other(add_one);
  add_one();
  other.join();
  assert(count == 2);
}
