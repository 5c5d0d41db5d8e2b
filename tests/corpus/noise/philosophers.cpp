// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// philosophers N ROUNDS: each takes the left fork, then the right one. All with their left fork wait for ever.
#include <cassert>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace {

void dine(std::mutex& left, std::mutex& right, int rounds, int& meals) {
  for (int i = 0; i < rounds; ++i) {
    const std::lock_guard first(left);    // here: first
    const std::lock_guard second(right);  // here: second
    ++meals;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int seats = argc > 1 ? std::atoi(argv[1]) : 6;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 2;
  const auto forks = std::make_unique<std::mutex[]>(static_cast<std::size_t>(seats));
  std::vector<int> meals(static_cast<std::size_t>(seats));
  std::vector<std::thread> all;
  for (int i = 0; i < seats; ++i) {
    int left = i;
    int right = (i + 1) % seats;
#ifdef FIXED
    if (right < left) std::swap(left, right);  // the last one begins with the other hand
#endif
    all.emplace_back([&, i, left, right] { dine(forks[left], forks[right], rounds, meals[i]); });
  }
  for (std::thread& one : all) one.join();
  for (const int eaten : meals) assert(eaten == rounds);
}
