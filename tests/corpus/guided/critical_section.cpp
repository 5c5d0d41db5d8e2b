// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A critical section whose lock is a flag that is tested and set in two steps: two threads may be in it at once. FIXED:
// a mutex.
#include <atomic>
#include <mutex>
#include <thread>

#include "ravel/ravel.h"

std::atomic<bool> busy{false};
std::mutex lock;

bool enter() {
#ifdef FIXED
  lock.lock();
  return true;
#else
  if (busy) return false;
  busy = true;
  return true;
#endif
}

void leave() {
#ifdef FIXED
  lock.unlock();
#else
  busy = false;
#endif
}

void first() {
  if (!enter()) return;
  ravel::mark("first inside");  // here: first
  leave();
}

void second() {
  if (!enter()) return;
  ravel::mark("second inside");  // here: second
  leave();
}

int main() {
  std::thread one(first);
  std::thread other(second);
  one.join();
  other.join();
}
