// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// producer_consumer N: N producers and N consumers with a monitor of four places. The consumers add up what they took
// while each holds a lock of its own: two of them lose an update of the sum.
#include <cassert>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

constexpr int kRoom = 4;
constexpr int kEach = 2;

std::mutex monitor;
std::condition_variable changed;
int items[kRoom];
int count = 0;

int total = 0;
std::mutex total_lock;

void put(int item) {
  std::unique_lock hold(monitor);
  changed.wait(hold, [] { return count < kRoom; });
  items[count++] = item;
  changed.notify_all();
}

int get() {
  std::unique_lock hold(monitor);
  changed.wait(hold, [] { return count > 0; });
  const int item = items[--count];
  changed.notify_all();
  return item;
}

void produce() {
  for (int i = 0; i < kEach; ++i) put(1);
}

void consume() {
#ifdef FIXED
  std::mutex& lock = total_lock;
#else
  std::mutex lock;
#endif
  for (int i = 0; i < kEach; ++i) {
    const int item = get();
    const std::lock_guard hold(lock);
    total += item;
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int pairs = argc > 1 ? std::atoi(argv[1]) : 3;
  std::vector<std::thread> all;
  for (int i = 0; i < pairs; ++i) all.emplace_back(produce);
  for (int i = 0; i < pairs; ++i) all.emplace_back(consume);
  for (std::thread& one : all) one.join();
  assert(total == pairs * kEach);
}
