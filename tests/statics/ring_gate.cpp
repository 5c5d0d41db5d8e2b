// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// A ring of three locks through one helper, behind a gate.
// expect: RW 0 MM 3 WM 0 WN 0 classes 3
// expect warnings: none
#include <mutex>
#include <thread>
std::mutex gate, a, b, c;
void both(std::mutex& first, std::mutex& second) {
  std::lock_guard<std::mutex> one(first);
  std::lock_guard<std::mutex> two(second);
}
int main() {
  std::thread t1([] {
    std::lock_guard<std::mutex> outer(gate);
    both(a, b);
  });
  std::thread t2([] {
    std::lock_guard<std::mutex> outer(gate);
    both(b, c);
  });
  std::thread t3([] {
    std::lock_guard<std::mutex> outer(gate);
    both(c, a);
  });
  t1.join();
  t2.join();
  t3.join();
}
