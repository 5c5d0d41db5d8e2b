// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The work-stealing deque of Chase and Lev in the C11 form of Le, Pop, Cohen and Zappa Nardelli, of fixed size.
//
// expect: clean
#include <atomic>
#include <cassert>
#include <thread>

namespace {

std::atomic<long> top{0};
std::atomic<long> bottom{0};
std::atomic<int> cells[4];
std::atomic<int> sum{0};

void push(int value) {
  const long at = bottom.load(std::memory_order_relaxed);
  cells[at % 4].store(value, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  bottom.store(at + 1, std::memory_order_relaxed);
}

int take() {
  const long at = bottom.load(std::memory_order_relaxed) - 1;
  bottom.store(at, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  long first = top.load(std::memory_order_relaxed);
  int value = 0;
  if (first <= at) {
    value = cells[at % 4].load(std::memory_order_relaxed);
    if (first != at) return value;
    if (!top.compare_exchange_strong(first, first + 1, std::memory_order_seq_cst, std::memory_order_relaxed)) value = 0;
  }
  bottom.store(at + 1, std::memory_order_relaxed);
  return value;
}

int steal() {
  long first = top.load(std::memory_order_acquire);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (first >= bottom.load(std::memory_order_acquire)) return 0;
  const int value = cells[first % 4].load(std::memory_order_relaxed);
  if (!top.compare_exchange_strong(first, first + 1, std::memory_order_seq_cst, std::memory_order_relaxed)) return 0;
  return value;
}

}  // namespace

int main() {
  std::thread thief([] { sum += steal() + steal(); });
  std::thread other([] { sum += steal(); });
  push(1);
  push(2);
  push(4);
  sum += take();
  sum += take();
  thief.join();
  other.join();
  for (int value = take(); value != 0; value = take()) sum += value;
  assert(sum == 7);
  return 0;
}
