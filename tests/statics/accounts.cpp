// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// The accounts of value-schedule testing: T2 takes the wrong lock for X.
// expect: RW 5 MM 2 WM 0 WN 0 classes 2
#include <cassert>
#include <mutex>
#include <thread>
std::mutex lock_x, lock_y;
int x = 0, y = 0;
int main() {
  std::thread t1([] {
    {
      std::lock_guard<std::mutex> guard(lock_x);
      x += 10;
    }
    std::lock_guard<std::mutex> guard(lock_y);
    y += 10;
  });
  std::thread t2([] {
    {
      std::lock_guard<std::mutex> guard(lock_y);
      x -= 10;
      if (y < 0) x = 0;
    }
    std::lock_guard<std::mutex> guard(lock_y);
    y -= 10;
  });
  t1.join();
  t2.join();
  assert(x == y);
}
