// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// Check and act in one region, in a loop.
// expect: RW 0 MM 1 WM 0 WN 0 classes 2
// expect warnings: none
#include <mutex>
#include <thread>
std::mutex m;
int seats = 1;
void sell() {
  for (int i = 0; i < 3; ++i) {
    std::lock_guard<std::mutex> guard(m);
    if (seats > 0) {
      seats = seats - 1;
    }
  }
}
int main() {
  std::thread t1([] { sell(); });
  std::thread t2([] { sell(); });
  t1.join();
  t2.join();
}
