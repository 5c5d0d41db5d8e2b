// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A correct program with more schedules than anybody will wait for, so that a campaign can be disturbed.
#include <atomic>
#include <thread>
#include <vector>

int main() {
  std::atomic<unsigned> sum{0};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 6; ++i) {
    threads.emplace_back([&sum, i] {
      for (unsigned k = 0; k < 8; ++k) sum = sum * 3 + i;
    });
  }
  for (std::thread& thread : threads) thread.join();
}
