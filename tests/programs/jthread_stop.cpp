// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// jthread, stop_token, stop_callback and interruptible waits.
//
// expect: clean
// operations: create,join
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

int main() {
  std::atomic<bool> called{false};
  {
    std::jthread worker([&called](std::stop_token token) {
      std::stop_callback callback(token, [&called] { called = true; });
      while (!token.stop_requested()) {
        std::this_thread::yield();
      }
    });
  }
  assert(called);

  std::mutex mutex;
  std::condition_variable_any condition;
  bool never = false;
  std::jthread sleeper([&](std::stop_token token) {
    std::unique_lock<std::mutex> lock(mutex);
    assert(!condition.wait(lock, token, [&never] { return never; }));
  });
  sleeper.request_stop();
  sleeper.join();
  return 0;
}
