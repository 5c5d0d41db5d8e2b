// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A single thread that computes for longer than the limit of a hang before it starts others: instrumented code, and
// code that is not.
//
// expect: clean
// iterations: 3
// options: --hang 50ms
// operations: create,join
#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace {

__attribute__((no_sanitize("thread"), noinline)) unsigned grind(unsigned rounds) {
  volatile unsigned value = 1;
  for (unsigned i = 0; i < rounds; ++i) value = value * 1664525u + 1013904223u;
  return value;
}

}  // namespace

int main() {
  std::vector<unsigned> numbers(500'000);
  unsigned next = grind(100'000'000);
  for (unsigned& number : numbers) number = next = next * 1664525u + 1013904223u;
  std::sort(numbers.begin(), numbers.end());
  std::atomic<int> ran{0};
  std::thread first([&ran] { ++ran; });
  std::thread second([&ran] { ++ran; });
  first.join();
  second.join();
  return ran.load() == 2 && std::is_sorted(numbers.begin(), numbers.end()) ? 0 : 1;
}
