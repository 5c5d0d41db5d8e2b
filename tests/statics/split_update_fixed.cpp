// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// The same with updates that are one step, or that try again.
// expect: RW 2 MM 0 WM 0 WN 0 classes 2
// expect warnings: none
#include <atomic>
#include <thread>
std::atomic<int> count{0};
int main() {
  std::thread t1([] { count.fetch_add(1); });
  std::thread t2([] {
    int seen = count.load();
    while (!count.compare_exchange_strong(seen, seen + 1)) {
    }
  });
  t1.join();
  t2.join();
}
