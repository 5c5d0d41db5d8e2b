// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two sleepers of different length and a store each.
//
// outcomes: 1
#include <ravel/ravel.h>

#include <atomic>
#include <chrono>
#include <thread>

int main() {
  std::atomic<int> x{0};
  std::thread a([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    x.store(1);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  x.store(2);
  a.join();
  ravel::observe("x", x.load());
}
