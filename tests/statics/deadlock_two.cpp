// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// Two locks through references that may be either: each acquisition may meet each of the other thread.
// expect: RW 0 MM 4 WM 0 WN 0 classes 2
#include <mutex>
#include <thread>
std::mutex a, b;
bool swapped = false;
int main(int count, char**) {
  swapped = count > 1;
  std::thread t1([] {
    std::mutex& first = swapped ? b : a;
    std::mutex& second = swapped ? a : b;
    first.lock();
    second.lock();
    second.unlock();
    first.unlock();
  });
  std::thread t2([] {
    std::mutex& first = swapped ? a : b;
    std::mutex& second = swapped ? b : a;
    first.lock();
    second.lock();
    second.unlock();
    first.unlock();
  });
  t1.join();
  t2.join();
}
