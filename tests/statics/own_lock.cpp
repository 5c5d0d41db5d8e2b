// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// Each object has its own lock, and the objects come from an array: equal objects have equal locks.
// expect: RW 0 MM 1 WM 0 WN 0 classes 2
// expect warnings: none
// expect without disjoint: RW 3 or more
#include <mutex>
#include <thread>
struct Account {
  std::mutex lock;
  int value = 0;
  void add(int amount) {
    std::lock_guard<std::mutex> guard(lock);
    value += amount;
  }
};
Account accounts[4];
void work(int i) {
  accounts[i].add(1);
}
int main(int count, char**) {
  std::thread t1(work, count);
  std::thread t2(work, count + 1);
  t1.join();
  t2.join();
}
