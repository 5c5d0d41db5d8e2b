// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A condition variable that is destroyed while a thread that nobody has notified still waits: the time-out finds it
// gone.
//
// expect: kind=misuse|use-after-free
// native: no
// iterations: 50
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  auto* const condition = new std::condition_variable;
  std::thread waiter([&] {
    std::unique_lock<std::mutex> guard(mutex);
    condition->wait_for(guard, std::chrono::seconds(1));
  });
  delete condition;
  waiter.join();
  return 0;
}
