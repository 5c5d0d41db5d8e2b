// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A thread that polls with pauses for what another does after a pause of its own; and one that polls without a pause.
//
// expect: clean
#include <atomic>
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

using namespace std::chrono_literals;

int main() {
  std::mutex mutex;
  int progress = 0;
  std::atomic<bool> done{false};
  std::thread worker([&] {
    for (int i = 0; i < 3; ++i) {
      std::this_thread::sleep_for(5ms);
      const std::lock_guard<std::mutex> guard(mutex);
      ++progress;
    }
    done = true;
  });
  std::thread eager([&] {
    while (!done) {
    }
  });
  for (;;) {
    {
      const std::lock_guard<std::mutex> guard(mutex);
      if (progress == 3) break;
    }
    std::this_thread::sleep_for(1ms);
  }
  worker.join();
  eager.join();
  return 0;
}
