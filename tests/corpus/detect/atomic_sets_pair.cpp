// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two members of one object belong together: one call writes both, another reads them in two critical sections.
//
// expect: kind=atomicity-violation threads=T1,T2 lines=region
// options: --detect atomic-sets --regions Range::move,Range::length
#include <memory>
#include <mutex>
#include <thread>

class Range {
 public:
  [[gnu::noinline]] void move(int by) {
    const std::lock_guard<std::mutex> hold(lock_);
    low_ = low_ + by;
    high_ = high_ + by;
  }
  [[gnu::noinline]] int length() {  // here: region
#ifdef FIXED
    const std::lock_guard<std::mutex> hold(lock_);
    return high_ - low_;
#else
    return high() - low();
#endif
  }

 private:
  int low() {
    const std::lock_guard<std::mutex> hold(lock_);
    return low_;
  }
  int high() {
    const std::lock_guard<std::mutex> hold(lock_);
    return high_;
  }
  std::mutex lock_;
  int low_ = 0;
  int high_ = 8;
};

int main() {
  const auto range = std::make_unique<Range>();
  int length = 0;
  std::thread one([&] { range->move(1); });
  std::thread two([&] { length = range->length(); });
  one.join();
  two.join();
  return 0;
}
