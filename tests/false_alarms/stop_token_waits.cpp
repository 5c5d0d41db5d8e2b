// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// condition_variable_any with a stop token: the wait ends when a stop is asked for; a stop callback runs in either
// thread, or not at all if it goes first.
//
// expect: clean
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <thread>

int main() {
  std::mutex mutex;
  std::condition_variable_any changed;
  int queued = 0;
  int taken = 0;
  std::atomic<int> called{0};
  std::jthread worker([&](std::stop_token stop) {
    const std::stop_callback note(stop, [&] { ++called; });
    std::unique_lock<std::mutex> guard(mutex);
    while (changed.wait(guard, stop, [&] { return queued > 0; })) {
      --queued;
      ++taken;
    }
    assert(stop.stop_requested());
  });
  for (int i = 0; i < 2; ++i) {
    const std::lock_guard<std::mutex> guard(mutex);
    ++queued;
    changed.notify_one();
  }
  worker.request_stop();
  worker.join();
  assert(queued + taken == 2);
  assert(called <= 1);
  return 0;
}
