// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
// Eight statements, one type of function pointer: each creation has an entry of its own.
// expect: RW 0 MM 28 WM 56 WN 56 classes 8
#include <condition_variable>
#include <mutex>
#include <thread>
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
  std::thread a(put);
  std::thread b(put);
  std::thread c(put);
  std::thread d(put);
  std::thread e(take);
  std::thread f(take);
  std::thread g(take);
  std::thread h(take);
  a.join();
  b.join();
  c.join();
  d.join();
  e.join();
  f.join();
  g.join();
  h.join();
}
