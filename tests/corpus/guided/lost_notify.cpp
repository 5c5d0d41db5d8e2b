// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The flag is set and notified without the mutex: the notification can come between the check and the wait.
// FIXED: the flag is set under the mutex.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex lock;
std::condition_variable changed;
std::atomic<bool> ready{false};

void waiter() {
  std::unique_lock<std::mutex> guard(lock);
  while (!ready) changed.wait(guard);
}

void notifier() {
#ifdef FIXED
  std::lock_guard<std::mutex> guard(lock);
#endif
  ready = true;
  changed.notify_one();
}

int main() {
  std::thread a(waiter);
  std::thread b(notifier);
  a.join();
  b.join();
}
