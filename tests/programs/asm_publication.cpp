// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A lock in inline assembly that one of two threads does not take: the memory it guards is raced for.
//
// expect: kind=data-race lines=inside,outside
#include <thread>

static int word = 0;
static int guarded = 0;

static void lock() {
  int taken = 1;
  do {
    asm volatile("xchgl %0, %1" : "+r"(taken), "+m"(word) : : "memory");
  } while (taken != 0);
}
static void unlock() {
  asm volatile("movl $0, %0" : "=m"(word) : : "memory");
}

int main() {
  std::thread other([] {
    lock();
    ++guarded;  // here: inside
    unlock();
  });
  ++guarded;  // here: outside
  lock();
  unlock();
  other.join();
}
