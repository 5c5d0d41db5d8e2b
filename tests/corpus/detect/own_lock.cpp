// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Self-deadlock: a normal mutex is locked again by the thread that holds it, on the path where the other was first.
//
// expect: kind=deadlock lines=again preemptions=0
// cause: blocked-thread
#include <mutex>
#include <thread>

#ifdef FIXED
std::recursive_mutex mutex;
#else
std::mutex mutex;
#endif
int count = 0;

void log_it() {
  mutex.lock();  // here: again
  ++count;
  mutex.unlock();
}

void work() {
  mutex.lock();
  if (count > 0) log_it();
  ++count;
  mutex.unlock();
}

int main() {
  std::thread one(work);
  std::thread other(work);
  one.join();
  other.join();
  return 0;
}
