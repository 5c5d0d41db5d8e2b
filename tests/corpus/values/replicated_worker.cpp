// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// replicated_worker W D: a coordinator and W workers integrate a function by adaptive quadrature, intervals being split
// at most D times. A worker asks without the lock whether there is work and whether all is done, and waits if not: what
// is put, or decided, in between wakes nobody. Workers and coordinator wait for ever.
#include <cassert>
#include <cmath>
#include <condition_variable>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace {

struct Interval {
  double from = 0;
  double to = 0;
  int splits = 0;
};

double function(double x) {
  return x * x * x;
}

double trapezium(double from, double to) {
  return (function(from) + function(to)) / 2 * (to - from);
}

// Intervals to be done. Takers are workers that ask for one; when all workers do and there is none, the work is over.
class WorkPool {
 public:
  explicit WorkPool(int workers) : workers_(workers) {}

  void put(const Interval& interval) {
    const std::lock_guard hold(monitor_);
    intervals_.push_back(interval);
    size_ = static_cast<int>(intervals_.size());
    more_.notify_one();
  }

  // False: there will be none.
  bool take(Interval& interval) {
    announce_taker();
    for (;;) {
      wait_for_work();
      const std::lock_guard hold(monitor_);
      if (intervals_.empty() && !done_) continue;
      --takers_;
      if (intervals_.empty()) return false;
      interval = intervals_.back();
      intervals_.pop_back();
      size_ = static_cast<int>(intervals_.size());
      return true;
    }
  }

  // Of the coordinator: until everybody asks for work, and there is none.
  void finish() {
    std::unique_lock hold(monitor_);
    while (takers_ != workers_ || !intervals_.empty()) idle_.wait(hold);
    done_ = true;
    more_.notify_all();
  }

 private:
  void announce_taker() {
    const std::lock_guard hold(monitor_);
    ++takers_;
    idle_.notify_one();
  }

  void wait_for_work() {
#ifdef FIXED
    std::unique_lock hold(monitor_);
    while (intervals_.empty() && !done_) more_.wait(hold);
#else
    if (size_ != 0 || done_) return;
    std::unique_lock hold(monitor_);
    more_.wait(hold);
#endif
  }

  const int workers_;
  std::mutex monitor_;
  std::condition_variable more_;
  std::condition_variable idle_;
  std::vector<Interval> intervals_;
  int size_ = 0;
  int takers_ = 0;
  bool done_ = false;
};

// Everybody begins together.
class StartingLine {
 public:
  explicit StartingLine(int runners) : missing_(runners) {}
  void await() {
    std::unique_lock hold(monitor_);
    if (--missing_ == 0) all_here_.notify_all();
    while (missing_ > 0) all_here_.wait(hold);
  }

 private:
  std::mutex monitor_;
  std::condition_variable all_here_;
  int missing_;
};

class Result {
 public:
  void add(double area) {
    const std::lock_guard hold(lock_);
    area_ += area;
  }
  double area() {
    const std::lock_guard hold(lock_);
    return area_;
  }

 private:
  std::mutex lock_;
  double area_ = 0;
};

class Worker {
 public:
  Worker(WorkPool& pool, StartingLine& line, Result& result, int depth)
      : pool_(pool), line_(line), result_(result), depth_(depth) {}

  void operator()() {
    line_.await();
    Interval interval;
    while (pool_.take(interval)) work(interval);
  }

 private:
  void work(const Interval& interval) {
    const double middle = (interval.from + interval.to) / 2;
    const double coarse = trapezium(interval.from, interval.to);
    const double fine = trapezium(interval.from, middle) + trapezium(middle, interval.to);
    if (interval.splits == depth_ || std::abs(coarse - fine) < 1e-6) {
      result_.add(fine);
      return;
    }
    pool_.put({interval.from, middle, interval.splits + 1});
    pool_.put({middle, interval.to, interval.splits + 1});
  }

  WorkPool& pool_;
  StartingLine& line_;
  Result& result_;
  int depth_;
};

}  // namespace

int main(int argc, char** argv) {
  const int workers = argc > 1 ? std::atoi(argv[1]) : 4;
  const int depth = argc > 2 ? std::atoi(argv[2]) : 1;
  WorkPool pool(workers);
  StartingLine line(workers + 1);
  Result result;
  std::thread coordinator([&] {
    pool.put({0, 1, 0});
    line.await();
    pool.finish();
  });
  std::vector<std::thread> all;
  for (int i = 0; i < workers; ++i) all.emplace_back(Worker(pool, line, result, depth));
  coordinator.join();
  for (std::thread& one : all) one.join();
  assert(std::abs(result.area() - 0.25) < 0.2);
}
