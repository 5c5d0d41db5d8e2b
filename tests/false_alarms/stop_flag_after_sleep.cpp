// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Threads that work until a flag says stop, set by one that sleeps first; another that looks at the clock.
//
// expect: clean
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

using namespace std::chrono_literals;

int main() {
  std::atomic<bool> stop{false};
  std::atomic<long> work{0};
  std::thread worker([&] {
    while (!stop.load(std::memory_order_relaxed)) work.fetch_add(1, std::memory_order_relaxed);
  });
  std::thread watcher([&] {
    const auto end = std::chrono::steady_clock::now() + 200us;
    while (std::chrono::steady_clock::now() < end && !stop) std::this_thread::yield();
  });
  std::this_thread::sleep_for(1ms);
  stop = true;
  worker.join();
  watcher.join();
  return 0;
}
