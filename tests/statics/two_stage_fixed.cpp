// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// As two_stage.cpp, with one lock around both stages.
// expect: RW 0 MM 1 WM 0 WN 0 classes 2
// expect warnings: none
#include <cassert>
#include <mutex>
#include <thread>
std::mutex lock1;
int data1 = 0, data2 = 0;
int main() {
  std::thread writer([] {
    std::lock_guard<std::mutex> guard(lock1);
    data1 = 1;
    data2 = data1 + 1;
  });
  std::thread reader([] {
    std::lock_guard<std::mutex> guard(lock1);
    if (data1 == 0) return;
    int t1 = data1;
    assert(data2 == t1 + 1);
  });
  writer.join();
  reader.join();
}
