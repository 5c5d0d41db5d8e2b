// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// The condition is checked once: another thread may take what was there before the woken one runs.
// expect: RW 0 MM 1 WM 1 WN 1 classes 2
// expect warnings: order
#include <condition_variable>
#include <mutex>
#include <thread>
std::mutex m;
std::condition_variable ready;
int jobs = 0;
int main() {
  std::thread waiter([] {
    std::unique_lock<std::mutex> lock(m);
    if (jobs == 0) {
      ready.wait(lock);
    }
    --jobs;
  });
  std::thread notifier([] {
    std::lock_guard<std::mutex> lock(m);
    ++jobs;
    ready.notify_all();
  });
  waiter.join();
  notifier.join();
}
