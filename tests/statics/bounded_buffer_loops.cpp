// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// The bounded buffer of four and four, from two loops: two classes of many threads.
// expect: MM 3 WM 4 WN 4 classes 2
// expect with T1=4,T2=4: MM 28 WM 56 WN 56
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>
std::mutex m;
std::condition_variable changed;
int count = 0;
void put() {
  std::unique_lock<std::mutex> lock(m);
  while (count == 1) changed.wait(lock);
  ++count;
  changed.notify_all();
}
void take() {
  std::unique_lock<std::mutex> lock(m);
  while (count == 0) changed.wait(lock);
  --count;
  changed.notify_all();
}
int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(put);
  for (int i = 0; i < 4; ++i) threads.emplace_back(take);
  for (auto& thread : threads) thread.join();
}
