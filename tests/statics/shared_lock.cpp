// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// A write under a lock that two readers can hold.
// expect: RW 3 MM 0 WM 0 WN 0 classes 2
#include <shared_mutex>
#include <thread>
std::shared_mutex m;
int value = 0;
int main() {
  std::thread t1([] {
    std::shared_lock<std::shared_mutex> lock(m);
    value += 1;
  });
  std::thread t2([] {
    std::shared_lock<std::shared_mutex> lock(m);
    value += 2;
  });
  t1.join();
  t2.join();
}
