// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The same on the stack: two calls whose atomics lie at the same place.
//
// outcomes: 3
#include <ravel/ravel.h>

#include <atomic>
#include <thread>

__attribute__((noinline)) static int round(int begin) {
  std::atomic<int> x{begin};
  bool won = false;
  std::thread other([&] {
    int expected = begin;
    won = x.compare_exchange_strong(expected, begin + 1);
  });
  int expected = begin;
  const bool mine = x.compare_exchange_strong(expected, begin + 1);
  other.join();
  return won ? 1 : mine ? 2 : 0;
}

int main() {
  const int first = round(0);
  const int second = round(7);
  ravel::observe("sum", first + second);
}
