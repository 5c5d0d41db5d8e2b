// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A circle that data keeps apart: the second thread enters only after the first has left. Predicted, not confirmed.
//
// expect: clean
// options: --strategy run-on --iterations 1 --detect lock-order
// twin: potential
#include <atomic>
#include <mutex>
#include <thread>

std::atomic<bool> left{false};
std::mutex a;
std::mutex b;

int main() {
  std::thread one([] {
    {
      std::lock_guard<std::mutex> first(a);
      std::lock_guard<std::mutex> second(b);
    }
    left.store(true);
  });
  std::thread two([] {
    if (!left.load()) return;
    std::lock_guard<std::mutex> first(b);
    std::lock_guard<std::mutex> second(a);
  });
  one.join();
  two.join();
  return 0;
}
