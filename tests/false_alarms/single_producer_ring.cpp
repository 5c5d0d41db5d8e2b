// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A ring for one producer and one consumer: two counters, each written by one side, and plain cells.
//
// expect: clean
#include <atomic>
#include <cassert>
#include <thread>

namespace {

int cells[2];
alignas(64) std::atomic<unsigned> head{0};
alignas(64) std::atomic<unsigned> tail{0};

bool put(int value) {
  const unsigned at = tail.load(std::memory_order_relaxed);
  if (at - head.load(std::memory_order_acquire) == 2) return false;
  cells[at % 2] = value;
  tail.store(at + 1, std::memory_order_release);
  return true;
}

bool take(int& value) {
  const unsigned at = head.load(std::memory_order_relaxed);
  if (at == tail.load(std::memory_order_acquire)) return false;
  value = cells[at % 2];
  head.store(at + 1, std::memory_order_release);
  return true;
}

}  // namespace

int main() {
  std::thread producer([] {
    for (int i = 1; i <= 4; ++i) {
      while (!put(i)) std::this_thread::yield();
    }
  });
  for (int i = 1; i <= 4; ++i) {
    int value = 0;
    while (!take(value)) {
    }
    assert(value == i);
  }
  producer.join();
  return 0;
}
