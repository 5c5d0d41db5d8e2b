// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// 100 000 threads created in one execution, two at a time.
//
// expect: clean
// iterations: 2
// options: --max-steps 100000000
// operations: create,join
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  constexpr int kThreads = 100'000;
  std::atomic<int> ran{0};
  for (int i = 0; i < kThreads; i += 2) {
    std::thread first([&ran] { ran.fetch_add(1); });
    std::thread second([&ran] { ran.fetch_add(1); });
    first.join();
    second.join();
  }
  assert(ran == kThreads);
  return 0;
}
