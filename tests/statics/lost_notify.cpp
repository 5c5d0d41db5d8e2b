// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// A notification that may come too early.
// expect: RW 0 MM 1 WM 1 WN 1 classes 2
// expect warnings: order
#include <condition_variable>
#include <mutex>
#include <thread>
std::mutex m;
std::condition_variable ready;
int main() {
  std::thread waiter([] {
    std::unique_lock<std::mutex> lock(m);
    ready.wait(lock);
  });
  std::thread notifier([] {
    std::lock_guard<std::mutex> lock(m);
    ready.notify_all();
  });
  waiter.join();
  notifier.join();
}
