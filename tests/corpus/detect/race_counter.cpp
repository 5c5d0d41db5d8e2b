// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A counter without a lock: every race detector names it.
//
// expect: kind=data-race threads=T1,T2 lines=count preemptions=0
// options: --detect data-race,vector-clock,goldilocks,eraser,overlap
// detectors: vector-clock,goldilocks,eraser,overlap
#include <mutex>
#include <thread>

int counter = 0;
std::mutex mutex;

void work() {
  for (int i = 0; i < 3; ++i) {
#ifdef FIXED
    std::lock_guard<std::mutex> guard(mutex);
#endif
    counter = counter + 1;  // here: count
  }
}

int main() {
  std::thread one(work);
  std::thread two(work);
  one.join();
  two.join();
  return 0;
}
