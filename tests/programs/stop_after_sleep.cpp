// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Threads that work until they are told to stop, by one that sleeps before it says so; a poller that sleeps between its
// looks; and one that watches the clock. While others work, time passes.
//
// expect: clean
// iterations: 10
// operations: sleep,wake-up,lock
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

namespace {

std::atomic<bool> stop{false};
std::mutex mutex;
long total = 0;

void work() {
  while (!stop.load(std::memory_order_relaxed)) {
    const std::lock_guard<std::mutex> guard(mutex);
    ++total;
  }
}

void stop_after_sleep() {
  std::this_thread::sleep_for(100ms);
  stop = true;
}

void stop_after_polling() {
  for (int i = 0; i < 20; ++i) {
    std::this_thread::sleep_for(1ms);
    const std::lock_guard<std::mutex> guard(mutex);
    if (total < 0) return;
  }
  stop = true;
}

void stop_at_a_time() {
  const auto end = std::chrono::steady_clock::now() + 20ms;
  while (std::chrono::steady_clock::now() < end) {
  }
  stop = true;
}

}  // namespace

int main() {
  for (auto* const ends : {stop_after_sleep, stop_after_polling, stop_at_a_time}) {
    stop = false;
    std::thread first(work);
    std::thread second(work);
    ends();
    first.join();
    second.join();
  }
  return 0;
}
