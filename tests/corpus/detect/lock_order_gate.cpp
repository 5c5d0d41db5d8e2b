// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Locks in opposite order, but behind a gate lock: no deadlock can happen and none is predicted.
//
// expect: clean
// options: --strategy run-on --iterations 1 --detect lock-order
#include <mutex>
#include <thread>

std::mutex gate;
std::mutex a;
std::mutex b;

int main() {
  std::thread one([] {
    std::lock_guard<std::mutex> outer(gate);
    std::lock_guard<std::mutex> first(a);
    std::lock_guard<std::mutex> second(b);
  });
  std::thread two([] {
    std::lock_guard<std::mutex> outer(gate);
    std::lock_guard<std::mutex> first(b);
    std::lock_guard<std::mutex> second(a);
  });
  one.join();
  two.join();
  return 0;
}
