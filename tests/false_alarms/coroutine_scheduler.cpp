// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Coroutines that move between the threads of a pool: one is always resumed by one thread at a time.
//
// expect: clean
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <coroutine>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

namespace {

class Scheduler {
 public:
  void add(std::coroutine_handle<> handle) {
    const std::lock_guard<std::mutex> guard(mutex_);
    ready_.push_back(handle);
    changed_.notify_one();
  }
  void stop() {
    const std::lock_guard<std::mutex> guard(mutex_);
    stopped_ = true;
    changed_.notify_all();
  }
  void run() {
    for (;;) {
      std::unique_lock<std::mutex> guard(mutex_);
      changed_.wait(guard, [this] { return stopped_ || !ready_.empty(); });
      if (ready_.empty()) return;
      const std::coroutine_handle<> next = ready_.front();
      ready_.pop_front();
      guard.unlock();
      next.resume();
    }
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::coroutine_handle<>> ready_;
  bool stopped_ = false;
};

struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};

struct Hop {
  Scheduler& scheduler;
  bool await_ready() const { return false; }
  void await_suspend(std::coroutine_handle<> handle) const { scheduler.add(handle); }
  void await_resume() const {}
};

Task count(Scheduler& scheduler, std::atomic<int>& running) {
  int local = 0;
  for (int i = 0; i < 2; ++i) {
    co_await Hop{scheduler};
    ++local;
  }
  assert(local == 2);
  if (--running == 0) scheduler.stop();
}

}  // namespace

int main() {
  Scheduler scheduler;
  std::atomic<int> running{2};
  count(scheduler, running);
  count(scheduler, running);
  std::thread other([&] { scheduler.run(); });
  scheduler.run();
  other.join();
  return 0;
}
