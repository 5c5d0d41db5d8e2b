// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Fails when the second thread comes soon: noise that delays its creation hides the failure.
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

std::atomic<int> cell;

int main() {
  std::thread first([] {
    cell = 1;
    const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(4);
    while (std::chrono::steady_clock::now() < until) continue;
    assert(cell == 1);
  });
  std::thread second([] { cell = 2; });
  first.join();
  second.join();
}
