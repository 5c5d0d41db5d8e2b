// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Threads, stop sources and once flags destroyed at the end of their scope, right after their last use.
//
// expect: clean
#include <atomic>
#include <cassert>
#include <mutex>
#include <stop_token>
#include <thread>

int main() {
  std::atomic<int> steps{0};
  {
    std::stop_source source;
    const std::jthread worker([&steps, token = source.get_token()] {
      while (!token.stop_requested()) std::this_thread::yield();
      ++steps;
    });
    source.request_stop();
  }
  {
    const std::jthread worker([&steps](std::stop_token stop) {
      while (!stop.stop_requested()) std::this_thread::yield();
      ++steps;
    });
  }
  auto* const once = new std::once_flag;
  const auto initialise = [&] { std::call_once(*once, [&] { ++steps; }); };
  std::thread first(initialise);
  initialise();
  first.join();
  delete once;
  assert(steps == 3);
  return 0;
}
