// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// dining N: N philosophers take the left fork, then the right one.
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 3;
  const auto forks = std::make_unique<std::mutex[]>(static_cast<std::size_t>(count));
  std::vector<std::thread> all;
  for (int i = 0; i < count; ++i) {
    all.emplace_back([&, i] {
      int left = i;
      int right = (i + 1) % count;
#ifdef FIXED
      if (left > right) std::swap(left, right);
#endif
      std::lock_guard first(forks[left]);
      std::lock_guard second(forks[right]);
    });
  }
  for (std::thread& one : all) one.join();
}
