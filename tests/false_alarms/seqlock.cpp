// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A sequence lock as Boehm has it: the data are relaxed atomics, a reader repeats when the number has changed.
//
// expect: clean
#include <atomic>
#include <cassert>
#include <thread>

namespace {

std::atomic<unsigned> sequence{0};
std::atomic<int> first{0};
std::atomic<int> second{0};

void write(int value) {
  const unsigned before = sequence.load(std::memory_order_relaxed);
  sequence.store(before + 1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  first.store(value, std::memory_order_relaxed);
  second.store(value, std::memory_order_relaxed);
  sequence.store(before + 2, std::memory_order_release);
}

int read() {
  for (;;) {
    const unsigned before = sequence.load(std::memory_order_acquire);
    const int one = first.load(std::memory_order_relaxed);
    const int two = second.load(std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_acquire);
    if (before % 2 == 0 && sequence.load(std::memory_order_relaxed) == before) {
      assert(one == two);
      return one;
    }
  }
}

}  // namespace

int main() {
  std::thread writer([] {
    write(1);
    write(2);
  });
  std::thread reader([] {
    const int earlier = read();
    assert(read() >= earlier);
  });
  writer.join();
  reader.join();
  assert(read() == 2);
  return 0;
}
