// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Lost signal: two threads wait for different things on one condition; notify_one wakes the one that has no use for it.
//
// expect: kind=deadlock threads=T1 lines=wait preemptions=1
// cause: lost-signal
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable changed;
bool first = false;
bool second = false;

void await(bool& what) {
  std::unique_lock<std::mutex> lock(mutex);
  while (!what) changed.wait(lock);  // here: wait
}

void set(bool& what) {
  std::lock_guard<std::mutex> guard(mutex);
  what = true;
#ifdef FIXED
  changed.notify_all();
#else
  changed.notify_one();
#endif
}

int main() {
  std::thread a(await, std::ref(first));
  std::thread b(await, std::ref(second));
  set(first);
  a.join();
  set(second);
  b.join();
  return 0;
}
