// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A thread ends while it holds a lock: whoever comes next waits for ever.
//
// expect: kind=misuse threads=T1|T2 lines=taken preemptions=0 also=deadlock
// options: --keep-going
#include <mutex>
#include <thread>

std::mutex mutex;
int count = 0;

void work() {
  mutex.lock();  // here: taken
  ++count;
#ifndef FIXED
  if (count == 1) return;
#endif
  mutex.unlock();
}

int main() {
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
  return 0;
}
