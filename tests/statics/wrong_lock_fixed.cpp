// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// As wrong_lock.cpp, with one lock.
// expect: RW 0 MM 1 WM 0 WN 0 classes 2
// expect warnings: none
#include <mutex>
#include <thread>
std::mutex lock1;
int data = 0;
int seen = 0;
int main() {
  std::thread t1([] {
    std::lock_guard<std::mutex> guard(lock1);
    data += 1;
  });
  std::thread t2([] {
    std::lock_guard<std::mutex> guard(lock1);
    int before = data;
    data = before + 1;
    seen = data;
    seen += data;
  });
  t1.join();
  t2.join();
}
