// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A monitor that prefers writers, and threads that go through it. The number of active readers (`Number`) is raised
// behind the monitor: that is the defect.
#pragma once

#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

template <class Number>
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
  Number active_readers_{0};
  int active_writers_ = 0;
  int waiting_writers_ = 0;
};

// Arguments: readers, writers, rounds of each.
inline void run_readers_and_writers(int argc, char** argv, void (*read_often)(int), void (*write_often)(int)) {
  const int readers = argc > 1 ? std::atoi(argv[1]) : 2;
  const int writers = argc > 2 ? std::atoi(argv[2]) : 2;
  const int rounds = argc > 3 ? std::atoi(argv[3]) : 2;
  std::vector<std::thread> all;
  for (int i = 0; i < readers; ++i) all.emplace_back(read_often, rounds);
  for (int i = 0; i < writers; ++i) all.emplace_back(write_often, rounds);
  for (std::thread& one : all) one.join();
}
