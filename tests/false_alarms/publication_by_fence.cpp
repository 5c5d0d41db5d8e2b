// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Plain data published by fences around relaxed operations.
//
// expect: clean
#include <atomic>
#include <cassert>
#include <thread>

namespace {

std::atomic<int> ready{0};
int data = 0;
int more = 0;

}  // namespace

int main() {
  std::thread writer([] {
    data = 1;
    more = 2;
    std::atomic_thread_fence(std::memory_order_release);
    ready.store(1, std::memory_order_relaxed);
  });
  std::thread reader([] {
    while (ready.load(std::memory_order_relaxed) == 0) std::this_thread::yield();
    std::atomic_thread_fence(std::memory_order_acquire);
    assert(data == 1);
  });
  if (ready.load(std::memory_order_relaxed) == 1) {
    std::atomic_thread_fence(std::memory_order_seq_cst);
    assert(more == 2);
  }
  writer.join();
  reader.join();
  return 0;
}
