// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// Philosophers from a loop: one class, many threads, forks in an array.
// expect: MM 3 classes 1
// expect with T1=5: MM 40 WM 0 WN 0
#include <mutex>
#include <thread>
#include <vector>
constexpr int kCount = 5;
std::mutex forks[kCount];
int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < kCount; ++i) {
    threads.emplace_back([i] {
      std::lock_guard<std::mutex> left(forks[i]);
      std::lock_guard<std::mutex> right(forks[(i + 1) % kCount]);
    });
  }
  for (auto& thread : threads) thread.join();
}
