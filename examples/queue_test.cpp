// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A test with ravel::explore(): two producers of a small ring, in all orders. The ring forgets to make "is there room?"
// and "take the room" one step. Build with -DFIXED for the repaired one.
//
//   ravel c++ -std=c++20 examples/queue_test.cpp -o queue_test
//   ./queue_test              explores by itself, throws on failure
//   ravel run ./queue_test    the same with the whole story and a plan to replay
#include <ravel/ravel.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <mutex>
#include <thread>

class Ring {
 public:
  bool push(int value) {
#ifdef FIXED
    const std::lock_guard<std::mutex> lock(mutex_);
    if (used_ == items_.size()) return false;
#else
    if (full()) return false;
    const std::lock_guard<std::mutex> lock(mutex_);
#endif
    ravel::check(used_ < items_.size(), "there is room for what was let in");
    items_[used_++] = value;
    return true;
  }
  std::size_t used() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return used_;
  }

 private:
  bool full() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return used_ == items_.size();
  }
  std::mutex mutex_;
  std::array<int, 3> items_{};
  std::size_t used_ = 0;
};

int main() {
  const ravel::Result result = ravel::explore(
      [] {
        Ring ring;
        ravel::label(ring, "ring");
        const auto items = 1 + ravel::choose(2);  // of the second producer: also a choice of the explorer
        std::thread first([&ring] {
          ring.push(1);
          ring.push(2);
        });
        std::thread second([&ring, items] {
          for (unsigned i = 0; i < items; ++i) ring.push(3);
        });
        first.join();
        second.join();
        ravel::observe("used", ring.used());
      },
      {.name = "Ring.TwoProducers", .iterations = 2'000});
  std::printf("%llu schedules, all good\n", static_cast<unsigned long long>(result.executions));
}
