// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Functions that are meant to be atomic are named from outside; the program knows nothing of Ravel.
//
// expect: kind=atomicity-violation threads=T1,T2 lines=region message=is.not.atomic
// options: --detect serialisable,reduction --regions Counter::increment,*::reset
// detectors: serialisable,reduction
#include <mutex>
#include <thread>

class Counter {
 public:
  [[gnu::noinline]] void increment() {  // here: region
#ifdef FIXED
    std::lock_guard<std::mutex> guard(mutex_);
    value_ = value_ + 1;
#else
    set(get() + 1);
#endif
  }
  [[gnu::noinline]] void reset() {
    set(0);
  }

 private:
  int get() {
    std::lock_guard<std::mutex> guard(mutex_);
    return value_;
  }
  void set(int value) {
    std::lock_guard<std::mutex> guard(mutex_);
    value_ = value;
  }
  std::mutex mutex_;
  int value_ = 0;
};

Counter counter;

int main() {
  std::thread one([] { counter.increment(); });
  std::thread two([] { counter.increment(); });
  one.join();
  two.join();
  counter.reset();
  return 0;
}
