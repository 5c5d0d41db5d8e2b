// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A compare-exchange on an atomic that is built again in the same memory.
//
// outcomes: 3
#include <ravel/ravel.h>

#include <atomic>
#include <new>
#include <thread>

alignas(std::atomic<int>) static unsigned char room[sizeof(std::atomic<int>)];

static int round(int begin) {
  auto* const x = new (room) std::atomic<int>(begin);
  bool won = false;
  std::thread other([&] {
    int expected = begin;
    won = x->compare_exchange_strong(expected, begin + 1);
  });
  int expected = begin;
  const bool mine = x->compare_exchange_strong(expected, begin + 1);
  other.join();
  x->~atomic();
  return won ? 1 : mine ? 2 : 0;
}

int main() {
  const int first = round(0);
  const int second = round(5);
  ravel::observe("sum", first + second);
}
