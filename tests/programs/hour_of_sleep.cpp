// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// An hour of sleep and a time-out of a day take no time.
//
// expect: clean
// native: no
// operations: sleep,wake-up
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  using namespace std::chrono_literals;
  const auto begin = std::chrono::steady_clock::now();
  std::mutex mutex;
  std::condition_variable condition;
  bool never = false;
  std::thread sleeper([] { std::this_thread::sleep_for(1h); });
  std::thread waiter([&] {
    std::unique_lock<std::mutex> lock(mutex);
    assert(!condition.wait_for(lock, 24h, [&never] { return never; }));
  });
  sleeper.join();
  assert(std::chrono::steady_clock::now() - begin >= 1h);
  waiter.join();
  assert(std::chrono::steady_clock::now() - begin >= 24h);
  return 0;
}
