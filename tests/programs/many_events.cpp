// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Ten million events in one execution.
//
// expect: clean
// iterations: 1
// options: --max-steps 100000000
// operations: rmw
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  constexpr int kRounds = 5'000'000;
  std::atomic<int> counter{0};
  const auto count = [&counter] {
    for (int i = 0; i < kRounds; ++i) {
      counter.fetch_add(1, std::memory_order_relaxed);
    }
  };
  std::thread first(count);
  std::thread second(count);
  first.join();
  second.join();
  assert(counter == 2 * kRounds);
  return 0;
}
