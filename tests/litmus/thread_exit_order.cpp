// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// notify_all_at_thread_exit beside a waiter.
//
// outcomes: 1
#include <ravel/ravel.h>

#include <condition_variable>
#include <mutex>
#include <thread>

static std::mutex mutex;
static std::condition_variable condition;
static bool ready = false;

int main() {
  std::thread worker([] {
    std::unique_lock lock(mutex);
    ready = true;
    std::notify_all_at_thread_exit(condition, std::move(lock));
  });
  bool seen = false;
  {
    std::unique_lock lock(mutex);
    condition.wait(lock, [] { return ready; });
    seen = ready;
  }
  worker.join();
  ravel::observe("seen", seen);
}
