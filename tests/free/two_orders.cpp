// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two locks in two orders.
#include <mutex>
#include <thread>

std::mutex left, right;

int main() {
  std::thread one([] {
    for (int i = 0; i < 20; ++i) {
      const std::lock_guard first(left);
      const std::lock_guard second(right);
    }
  });
  std::thread two([] {
    for (int i = 0; i < 20; ++i) {
      const std::lock_guard first(right);
      const std::lock_guard second(left);
    }
  });
  one.join();
  two.join();
}
