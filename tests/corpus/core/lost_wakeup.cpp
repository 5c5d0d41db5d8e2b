// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Lost wake-up: the flag is tested outside the lock, so the signal can come between the test and the wait.
//
// expect: kind=deadlock threads=T1 lines=sleep preemptions=2
// operations: lock,unlock,signal
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

class Gate {
 public:
  void pass() {
#ifdef FIXED
    std::unique_lock<std::mutex> lock(mutex_);
    while (!open_.load()) {
      opened_.wait(lock);
    }
#else
    if (!open_.load()) {
      std::unique_lock<std::mutex> lock(mutex_);
      opened_.wait(lock);  // here: sleep
    }
#endif
  }

  void open() {
#ifdef FIXED
    std::lock_guard<std::mutex> guard(mutex_);
#endif
    open_.store(true);
    opened_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  std::atomic<bool> open_{false};
};

}  // namespace

int main() {
  Gate gate;
  std::thread visitor([&gate] { gate.pass(); });
  gate.open();
  visitor.join();
  return 0;
}
