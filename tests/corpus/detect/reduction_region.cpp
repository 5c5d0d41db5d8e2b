// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A region that is meant to be atomic gives its lock back and takes it again. Reduction says so in every execution,
// also where nobody came in between.
//
// expect: kind=atomicity-violation threads=T1|T2 lines=region,again preemptions=0 message=takes.a.lock
// options: --strategy run-on --iterations 1 --detect reduction
#include <ravel/ravel.h>

#include <mutex>
#include <thread>

int counter = 0;
std::mutex mutex;

void increment() {
  const ravel::atomic_region region;  // here: region
  mutex.lock();
  int next = counter + 1;
#ifndef FIXED
  mutex.unlock();
  mutex.lock();  // here: again
#endif
  counter = next;
  mutex.unlock();
}

int main() {
  std::thread one(increment);
  std::thread two(increment);
  one.join();
  two.join();
  return 0;
}
