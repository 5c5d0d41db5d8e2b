// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// Check and act are two regions of one lock: both threads may sell the last seat.
// expect: RW 0 MM 4 WM 0 WN 0 classes 2
// expect warnings: atomicity
#include <mutex>
#include <thread>
std::mutex m;
int seats = 1;
void sell() {
  bool free = false;
  {
    std::lock_guard<std::mutex> guard(m);
    free = seats > 0;
  }
  if (!free) return;
  std::lock_guard<std::mutex> guard(m);
  seats = seats - 1;
}
int main() {
  std::thread t1([] { sell(); });
  std::thread t2([] { sell(); });
  t1.join();
  t2.join();
}
