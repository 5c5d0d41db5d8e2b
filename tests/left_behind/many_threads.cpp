// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// More threads at a time than are prepared ahead.
//
// isolation: repeat
#include <vector>

#include "left_behind.h"

int main() {
  std::atomic<int> sum{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 40; ++i) threads.emplace_back([&] { sum.fetch_add(1); });
  for (auto& thread : threads) thread.join();
  assert(sum.load() == 40);
}
