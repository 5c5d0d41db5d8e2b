// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Errors by longjmp out of deep calls, as C libraries do it: the lines of what comes after are still right.
//
// expect: kind=assertion threads=T1,T2 lines=lost
// flags: -O0
#include <setjmp.h>

#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> counter{0};

static int dive(jmp_buf& way_out, int depth) {
  if (depth == 0) longjmp(way_out, 1);
  return dive(way_out, depth - 1) + 1;
}

static void protected_call() {
  jmp_buf way_out;
  if (setjmp(way_out) == 0) dive(way_out, 20);
}

static void count() {
  for (int i = 0; i < 200; ++i) protected_call();
  const int before = counter.load();
  counter.store(before + 1);  // here: lost
}

int main() {
  std::thread first(count);
  std::thread second(count);
  first.join();
  second.join();
  assert(counter == 2);
  return 0;
}
