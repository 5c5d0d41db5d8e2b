// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The waiter waits without asking whether there is anything to wait for (P32): two sequences, one of them stuck.
#include <condition_variable>
#include <mutex>
#include <thread>

struct Queue {
  std::mutex mutex_;
  std::condition_variable ready_;
} queue;

int main() {
  std::thread waiter([] {
    std::unique_lock lock(queue.mutex_);
    queue.ready_.wait(lock);
  });
  std::thread notifier([] {
    std::lock_guard lock(queue.mutex_);
    queue.ready_.notify_one();
  });
  waiter.join();
  notifier.join();
}
