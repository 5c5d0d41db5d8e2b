// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Plain data published by an atomic flag: release and acquire, test_and_set, wait and notify, and a chain of
// read-modify-writes.
//
// expect: clean
#include <atomic>
#include <cassert>
#include <thread>

namespace {

void by_store() {
  std::atomic<bool> ready{false};
  int data = 0;
  std::thread writer([&] {
    data = 1;
    ready.store(true, std::memory_order_release);
  });
  if (ready.load(std::memory_order_acquire)) assert(data == 1);
  while (!ready.load(std::memory_order_acquire)) {
  }
  assert(data == 1);
  writer.join();
}

void by_flag() {
  std::atomic_flag ready = ATOMIC_FLAG_INIT;
  int data = 0;
  std::thread writer([&] {
    data = 2;
    ready.test_and_set(std::memory_order_release);
    ready.notify_one();
  });
  ready.wait(false, std::memory_order_acquire);
  assert(data == 2);
  writer.join();
}

// A relaxed read-modify-write continues the release sequence of the first store.
void by_release_sequence() {
  std::atomic<int> step{0};
  int data = 0;
  std::thread writer([&] {
    data = 3;
    step.store(1, std::memory_order_release);
  });
  std::thread between([&] {
    int one = 1;
    step.compare_exchange_strong(one, 2, std::memory_order_relaxed);
  });
  if (step.load(std::memory_order_acquire) != 0) assert(data == 3);
  writer.join();
  between.join();
}

}  // namespace

int main() {
  by_store();
  by_flag();
  by_release_sequence();
  return 0;
}
