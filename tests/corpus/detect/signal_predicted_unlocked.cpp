// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// As signal_predicted, with a predicate that is changed without the lock.
//
// expect: kind=deadlock threads=T1 lines=wait
// cause: lost-signal
// options: --strategy run-on --iterations 1 --detect predicted-signal
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable opened;
std::atomic<bool> is_open{false};

void pass() {
  std::unique_lock<std::mutex> lock(mutex);
  while (!is_open.load()) opened.wait(lock);  // here: wait
}

void open() {
#ifdef FIXED
  std::lock_guard<std::mutex> guard(mutex);
#endif
  is_open.store(true);
  opened.notify_one();
}

int main() {
  std::thread visitor(pass);
  std::thread porter(open);
  visitor.join();
  porter.join();
  return 0;
}
