// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A region that is meant to be atomic reads in one critical section and writes in another.
//
// expect: kind=atomicity-violation threads=T1,T2 lines=region preemptions=1 message=is.not.atomic
// options: --detect serialisable
#include <ravel/ravel.h>

#include <mutex>
#include <thread>

int counter = 0;
std::mutex mutex;

int get() {
  std::lock_guard<std::mutex> guard(mutex);
  return counter;
}

void set(int value) {
  std::lock_guard<std::mutex> guard(mutex);
  counter = value;
}

void increment() {
#ifdef FIXED
  std::lock_guard<std::mutex> guard(mutex);
  const ravel::atomic_region region;
  counter = counter + 1;
#else
  const ravel::atomic_region region;  // here: region
  set(get() + 1);
#endif
}

int main() {
  std::thread one(increment);
  std::thread two(increment);
  one.join();
  two.join();
  return 0;
}
