// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// piper N: N passengers and N seats through a buffer of two; fill() looks once whether there is room and waits once.
#include <cassert>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr int kSize = 2;
std::mutex lock;
std::condition_variable changed;
int used = 0;

void fill() {
  std::unique_lock hold(lock);
#ifdef FIXED
  while (used == kSize) changed.wait(hold);
#else
  if (used == kSize) changed.wait(hold);
#endif
  ++used;
  assert(used <= kSize);
  changed.notify_all();
}

void empty() {
  std::unique_lock hold(lock);
  while (used == 0) changed.wait(hold);
  --used;
  changed.notify_all();
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 4;
  std::vector<std::thread> all;
  for (int i = 0; i < count; ++i) all.emplace_back(fill);
  for (int i = 0; i < count; ++i) all.emplace_back(empty);
  for (std::thread& one : all) one.join();
}
