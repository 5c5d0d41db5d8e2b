// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A pool whose tasks make further tasks; the destructor lets all of them run before it joins.
//
// expect: clean
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class Pool {
 public:
  explicit Pool(int size) {
    for (int i = 0; i < size; ++i) threads_.emplace_back([this] { run(); });
  }
  ~Pool() {
    {
      const std::lock_guard<std::mutex> guard(mutex_);
      closing_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  void add(std::function<void()> task) {
    {
      const std::lock_guard<std::mutex> guard(mutex_);
      tasks_.push_back(std::move(task));
      ++open_;
    }
    changed_.notify_one();
  }

 private:
  void run() {
    std::unique_lock<std::mutex> guard(mutex_);
    for (;;) {
      changed_.wait(guard, [this] { return !tasks_.empty() || (closing_ && open_ == 0); });
      if (tasks_.empty()) return;
      const std::function<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      guard.unlock();
      task();
      guard.lock();
      if (--open_ == 0 && closing_) changed_.notify_all();
    }
  }
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> tasks_;
  std::vector<std::thread> threads_;
  int open_ = 0;
  bool closing_ = false;
};

}  // namespace

int main() {
  std::atomic<int> ran{0};
  {
    Pool pool(2);
    pool.add([&] {
      ++ran;
      pool.add([&] { ++ran; });
    });
    pool.add([&] { ++ran; });
  }
  assert(ran == 3);
  return 0;
}
