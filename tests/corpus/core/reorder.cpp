// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Reorder: a pair of values is written one after the other; a checker that comes in between sees a pair that never was.
//
// expect: kind=assertion threads=T3 lines=check preemptions=1
// operations: load,store,lock,unlock
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

namespace {

class Range {
 public:
  void shift() {
#ifdef FIXED
    std::lock_guard<std::mutex> guard(mutex_);
#endif
    low_.store(10, std::memory_order_relaxed);
    high_.store(20, std::memory_order_relaxed);
  }

  void check() {
#ifdef FIXED
    std::lock_guard<std::mutex> guard(mutex_);
#endif
    const int low = low_.load(std::memory_order_relaxed);
    const int high = high_.load(std::memory_order_relaxed);
    const bool before = low == 0 && high == 5;
    const bool after = low == 10 && high == 20;
    assert(before || after);  // here: check
  }

 private:
#ifdef FIXED
  std::mutex mutex_;
#endif
  std::atomic<int> low_{0};
  std::atomic<int> high_{5};
};

}  // namespace

int main() {
  Range range;
  std::thread first_writer([&range] { range.shift(); });
  std::thread second_writer([&range] { range.shift(); });
  std::thread checker([&range] { range.check(); });
  first_writer.join();
  second_writer.join();
  checker.join();
  return 0;
}
