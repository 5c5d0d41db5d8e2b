// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// bounded_buffer N: N producers and N consumers of one item each, capacity 1, one condition for both: a signal may wake
// one of the wrong kind, and all wait for ever.
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

std::mutex lock;
std::condition_variable changed;
int items = 0;

void tell() {
#ifdef FIXED
  changed.notify_all();
#else
  changed.notify_one();
#endif
}

void put() {
  std::unique_lock hold(lock);
  while (items == 1) changed.wait(hold);
  ++items;
  tell();
}

void take() {
  std::unique_lock hold(lock);
  while (items == 0) changed.wait(hold);
  --items;
  tell();
}

}  // namespace

int main(int argc, char** argv) {
  const int pairs = argc > 1 ? std::atoi(argv[1]) : 2;
  std::vector<std::thread> all;
  for (int i = 0; i < pairs; ++i) all.emplace_back(put);
  for (int i = 0; i < pairs; ++i) all.emplace_back(take);
  for (std::thread& one : all) one.join();
}
