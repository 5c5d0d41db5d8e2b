// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Wrong lock: two paths guard the same counter, each with a lock of its own.
//
// expect: kind=data-race threads=T1,T2 lines=hit,miss preemptions=0
// operations: lock,unlock
#include <mutex>
#include <thread>

namespace {

class Statistics {
 public:
  void record_hit() {
    std::lock_guard<std::mutex> guard(hit_mutex_);
    requests_ += 1;  // here: hit
  }

  void record_miss() {
#ifdef FIXED
    std::lock_guard<std::mutex> guard(hit_mutex_);
#else
    std::lock_guard<std::mutex> guard(miss_mutex_);
#endif
    requests_ += 1;  // here: miss
  }

  long requests() {
    std::lock_guard<std::mutex> guard(hit_mutex_);
    return requests_;
  }

 private:
  std::mutex hit_mutex_;
#ifndef FIXED
  std::mutex miss_mutex_;
#endif
  long requests_ = 0;
};

}  // namespace

int main() {
  Statistics statistics;
  std::thread front_end([&statistics] { statistics.record_hit(); });
  std::thread back_end([&statistics] { statistics.record_miss(); });
  front_end.join();
  back_end.join();
  return statistics.requests() <= 2 ? 0 : 1;
}
