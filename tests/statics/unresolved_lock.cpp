// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// A lock that may be one of two protects nothing.
// expect: RW 3 MM 1 WM 0 WN 0 classes 2
#include <mutex>
#include <thread>
std::mutex o1, o2;
int value = 0;
int main(int count, char**) {
  std::thread t1([count] {
    std::lock_guard<std::mutex> guard(count > 1 ? o1 : o2);
    value += 1;
  });
  std::thread t2([count] {
    std::lock_guard<std::mutex> guard(count > 0 ? o1 : o2);
    value += 1;
  });
  t1.join();
  t2.join();
}
