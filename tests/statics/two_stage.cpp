// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// Each variable has its lock; the two stages are not one.
// expect: RW 0 MM 2 WM 0 WN 0 classes 2
// expect warnings: atomicity
#include <cassert>
#include <mutex>
#include <thread>
std::mutex lock1, lock2;
int data1 = 0, data2 = 0;
int main() {
  std::thread writer([] {
    {
      std::lock_guard<std::mutex> guard(lock1);
      data1 = 1;
    }
    std::lock_guard<std::mutex> guard(lock2);
    data2 = data1 + 1;
  });
  std::thread reader([] {
    int t1 = -1;
    {
      std::lock_guard<std::mutex> guard(lock1);
      if (data1 == 0) return;
      t1 = data1;
    }
    std::lock_guard<std::mutex> guard(lock2);
    assert(data2 == t1 + 1);
  });
  writer.join();
  reader.join();
}
