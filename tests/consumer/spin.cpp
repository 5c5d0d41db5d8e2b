// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A correct spin lock in inline assembly: without call-outs around its instructions the counter looks unguarded, and
// whoever spins spins for ever.
#include <cassert>
#include <thread>

namespace {

int lock_word = 0;
int counter = 0;

void lock() {
  int taken = 1;
  do {
    taken = 1;
    asm volatile("xchgl %0, %1" : "+r"(taken), "+m"(lock_word) : : "memory");
  } while (taken != 0);
}

void unlock() {
  int zero = 0;
  asm volatile("xchgl %0, %1" : "+r"(zero), "+m"(lock_word) : : "memory");
}

void count() {
  lock();
  ++counter;
  unlock();
}

}  // namespace

int main() {
  std::thread other(count);
  count();
  other.join();
  assert(counter == 2);
}
