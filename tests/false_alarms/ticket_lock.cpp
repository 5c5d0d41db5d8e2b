// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A ticket lock: threads enter in the order of their numbers.
//
// expect: clean
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

namespace {

class TicketLock {
 public:
  void lock() {
    const unsigned mine = next_.fetch_add(1, std::memory_order_relaxed);
    while (serving_.load(std::memory_order_acquire) != mine) std::this_thread::yield();
  }
  void unlock() { serving_.store(serving_.load(std::memory_order_relaxed) + 1, std::memory_order_release); }

 private:
  std::atomic<unsigned> next_{0};
  std::atomic<unsigned> serving_{0};
};

TicketLock lock;
int guarded = 0;

void work() {
  for (int i = 0; i < 2; ++i) {
    const std::lock_guard<TicketLock> guard(lock);
    ++guarded;
  }
}

}  // namespace

int main() {
  std::thread first(work);
  std::thread second(work);
  work();
  first.join();
  second.join();
  assert(guarded == 6);
  return 0;
}
