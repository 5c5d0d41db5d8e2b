// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// An atomic counter that is read and written in two steps.
// expect: RW 3 MM 0 WM 0 WN 0 classes 2
// expect warnings: atomicity
#include <atomic>
#include <thread>
std::atomic<int> count{0};
int main() {
  std::thread t1([] {
    int seen = count.load();
    count.store(seen + 1);
  });
  std::thread t2([] {
    int seen = count.load();
    count.store(seen + 1);
  });
  t1.join();
  t2.join();
}
