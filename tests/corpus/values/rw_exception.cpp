// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// rw_exception R W N: R readers and W writers go N times through a monitor that prefers writers. The number of active
// readers is raised behind the monitor: a writer comes in while somebody reads, and notices.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class ReadersWriters {
 public:
  void before_read() {
    {
      std::unique_lock hold(monitor_);
      while (waiting_writers_ > 0 || active_writers_ > 0) changed_.wait(hold);
#ifdef FIXED
      ++active_readers_;
#endif
    }
#ifndef FIXED
    ++active_readers_;
#endif
  }
  void after_read() {
    const std::lock_guard hold(monitor_);
    --active_readers_;
    changed_.notify_all();
  }
  void before_write() {
    std::unique_lock hold(monitor_);
    ++waiting_writers_;
    while (!(active_readers_ == 0 && active_writers_ == 0)) changed_.wait(hold);
    --waiting_writers_;
    ++active_writers_;
  }
  void after_write() {
    const std::lock_guard hold(monitor_);
    --active_writers_;
    changed_.notify_all();
  }

 private:
  std::mutex monitor_;
  std::condition_variable changed_;
  std::atomic<int> active_readers_{0};
  int active_writers_ = 0;
  int waiting_writers_ = 0;
};

ReadersWriters access;
std::atomic<int> reading{0};

void read_often(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    access.before_read();
    ++reading;
    --reading;
    access.after_read();
  }
}

void write_often(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    access.before_write();
    assert(reading == 0);
    access.after_write();
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int readers = argc > 1 ? std::atoi(argv[1]) : 2;
  const int writers = argc > 2 ? std::atoi(argv[2]) : 2;
  const int rounds = argc > 3 ? std::atoi(argv[3]) : 2;
  std::vector<std::thread> all;
  for (int i = 0; i < readers; ++i) all.emplace_back(read_often, rounds);
  for (int i = 0; i < writers; ++i) all.emplace_back(write_often, rounds);
  for (std::thread& one : all) one.join();
}
