// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Static objects with threads in them: made in one order, destroyed in the other, after main.
//
// expect: clean
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class Log {
 public:
  ~Log() { assert(lines_.size() == 2); }
  void add(int line) {
    const std::lock_guard<std::mutex> guard(mutex_);
    lines_.push_back(line);
  }

 private:
  std::mutex mutex_;
  std::vector<int> lines_;
};

Log& log() {
  static Log made;
  return made;
}

class Worker {
 public:
  Worker() : thread_([this] { run(); }) {}
  ~Worker() {
    {
      const std::lock_guard<std::mutex> guard(mutex_);
      stop_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

 private:
  void run() {
    std::unique_lock<std::mutex> guard(mutex_);
    changed_.wait(guard, [this] { return stop_; });
    log().add(1);
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stop_ = false;
  std::thread thread_;
};

Worker& worker() {
  log();
  static Worker made;
  return made;
}

}  // namespace

int main() {
  worker();
  std::thread other([] { log().add(2); });
  other.join();
  return 0;
}
