// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A counting_semaphore and a latch may not be destroyed while a call is under way: these are destroyed when a second
// signal says it is over.
//
// expect: clean
#include <atomic>
#include <latch>
#include <memory>
#include <semaphore>
#include <thread>

int main() {
  auto* const semaphore = new std::counting_semaphore<2>(0);
  auto* const latch = new std::latch(1);
  std::atomic<bool> left{false};
  std::thread other([&, semaphore, latch] {
    semaphore->release();
    latch->count_down();
    left.store(true, std::memory_order_release);
  });
  semaphore->acquire();
  latch->wait();
  while (!left.load(std::memory_order_acquire)) std::this_thread::yield();
  delete semaphore;
  delete latch;
  other.join();
  return 0;
}
