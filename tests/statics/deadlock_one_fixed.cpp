// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// As deadlock_one.cpp, in one order: the second lock is never waited for.
// expect: RW 0 MM 1 WM 0 WN 0 classes 2
// expect warnings: none
#include <mutex>
#include <thread>
std::mutex a, b;
int main() {
  std::thread t1([] {
    std::lock_guard<std::mutex> first(a);
    std::lock_guard<std::mutex> second(b);
  });
  std::thread t2([] {
    std::lock_guard<std::mutex> first(a);
    std::lock_guard<std::mutex> second(b);
  });
  t1.join();
  t2.join();
}
