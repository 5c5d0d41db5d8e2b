// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// The same as members of one object, threads by member function pointers.
// expect: RW 5 MM 2 WM 0 WN 0 classes 2
#include <cassert>
#include <mutex>
#include <thread>
struct Bank {
  std::mutex lock_x, lock_y;
  int x = 0, y = 0;
  void first() {
    {
      std::lock_guard<std::mutex> guard(lock_x);
      x += 10;
    }
    std::lock_guard<std::mutex> guard(lock_y);
    y += 10;
  }
  void second() {
    {
      std::lock_guard<std::mutex> guard(lock_y);
      x -= 10;
      if (y < 0) x = 0;
    }
    std::lock_guard<std::mutex> guard(lock_y);
    y -= 10;
  }
};
int main() {
  Bank bank;
  std::thread t1(&Bank::first, &bank);
  std::thread t2(&Bank::second, &bank);
  t1.join();
  t2.join();
  assert(bank.x == bank.y);
}
