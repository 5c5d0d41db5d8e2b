// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A wait gives back one lock and keeps another. Nobody needs that one in this program: nested-wait says so in every
// execution, as what may become a nested monitor.
//
// expect: kind=blocked-thread threads=T1 lines=wait
// options: --detect nested-wait --strategy random
// twin-options: --detect nested-wait --strategy random
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex config;
std::mutex mutex;
std::condition_variable filled;
bool full = false;

void take() {
#ifndef FIXED
  std::lock_guard<std::mutex> guard(config);
#endif
  std::unique_lock<std::mutex> lock(mutex);
  while (!full) filled.wait(lock);  // here: wait
}

int main() {
  std::thread taker(take);
  {
    std::lock_guard<std::mutex> lock(mutex);
    full = true;
  }
  filled.notify_one();
  taker.join();
  return 0;
}
