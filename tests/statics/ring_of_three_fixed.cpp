// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// As ring_of_three.cpp, the last thread in the order of the others.
// expect: RW 0 MM 3 WM 0 WN 0 classes 3
// expect warnings: none
#include <mutex>
#include <thread>
std::mutex a, b, c;
void both(std::mutex& first, std::mutex& second) {
  std::lock_guard<std::mutex> one(first);
  std::lock_guard<std::mutex> two(second);
}
int main() {
  std::thread t1([] { both(a, b); });
  std::thread t2([] { both(b, c); });
  std::thread t3([] { both(a, c); });
  t1.join();
  t2.join();
  t3.join();
}
