// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Thread-pool shutdown: the worker looks at the stop flag before the queue, so work that was accepted is dropped.
//
// expect: kind=assertion threads=T0,T1 lines=check preemptions=0
// operations: lock,unlock,signal,broadcast
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace {

class Pool {
 public:
  Pool() : worker_([this] { work(); }) {}

  void submit(std::function<void()> task) {
    std::lock_guard<std::mutex> guard(mutex_);
    tasks_.push_back(std::move(task));
    changed_.notify_one();
  }

  void shut_down() {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      stopping_ = true;
      changed_.notify_all();
    }
    worker_.join();
  }

 private:
  void work() {
    for (;;) {
      std::unique_lock<std::mutex> lock(mutex_);
      changed_.wait(lock, [this] { return stopping_ || !tasks_.empty(); });
#ifdef FIXED
      if (tasks_.empty()) {
#else
      if (stopping_) {
#endif
        return;
      }
      const std::function<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  bool stopping_ = false;
  std::thread worker_;
};

}  // namespace

int main() {
  std::atomic<int> saved{0};
  Pool pool;
  pool.submit([&saved] { ++saved; });
  pool.submit([&saved] { ++saved; });
  pool.shut_down();
  assert(saved == 2);  // here: check
  return 0;
}
