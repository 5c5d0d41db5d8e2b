// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A seat is found free under the lock and taken under the lock, but the lock is given back in between.
// FIXED: one region.
#include <mutex>
#include <thread>

#include "ravel/ravel.h"

std::mutex lock;
int free_seats = 1;

void book() {
#ifdef FIXED
  std::lock_guard<std::mutex> guard(lock);
  if (free_seats > 0) --free_seats;
#else
  lock.lock();
  const bool available = free_seats > 0;
  lock.unlock();
  if (!available) return;
  lock.lock();
  --free_seats;
  lock.unlock();
#endif
}

int main() {
  std::thread a(book);
  std::thread b(book);
  a.join();
  b.join();
  ravel::check(free_seats >= 0, "free_seats >= 0");
}
