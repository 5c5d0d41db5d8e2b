// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Detached threads whose end is told by a counter under a lock, and one that is still asleep when main returns.
//
// expect: clean
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace {

struct Shared {
  std::mutex mutex;
  std::condition_variable changed;
  int running = 2;
};

}  // namespace

int main() {
  const auto shared = std::make_shared<Shared>();
  for (int i = 0; i < 2; ++i) {
    std::thread([shared] {
      const std::lock_guard<std::mutex> guard(shared->mutex);
      --shared->running;
      shared->changed.notify_one();
    }).detach();
  }
  {
    std::unique_lock<std::mutex> guard(shared->mutex);
    shared->changed.wait(guard, [&] { return shared->running == 0; });
  }
  std::thread([] { std::this_thread::sleep_for(std::chrono::hours(1)); }).detach();
  return 0;
}
