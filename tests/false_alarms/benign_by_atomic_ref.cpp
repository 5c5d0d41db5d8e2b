// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Plain objects that are shared through std::atomic_ref in one phase and used plainly in the others.
//
// expect: clean
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

int main() {
  std::vector<int> cells(3, 1);
  const auto add = [&] {
    for (int& cell : cells) std::atomic_ref<int>(cell).fetch_add(1, std::memory_order_relaxed);
  };
  std::thread first(add);
  std::thread second(add);
  add();
  first.join();
  second.join();
  for (int cell : cells) assert(cell == 4);
  return 0;
}
