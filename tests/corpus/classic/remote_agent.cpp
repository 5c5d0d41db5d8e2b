// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// remote_agent N: two tasks that wait for each other's events, N rounds. Whether one came is looked at without the lock
// under which the task then waits.
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

namespace {

class Event {
 public:
  void signal() {
    std::lock_guard hold(lock_);
    ++count_;
    came_.notify_all();
  }
  int wait_after(int seen) {
#ifdef FIXED
    std::unique_lock hold(lock_);
    while (count_ == seen) came_.wait(hold);
#else
    if (count_ == seen) {
      std::unique_lock hold(lock_);
      came_.wait(hold);
    }
#endif
    return count_;
  }

 private:
  std::mutex lock_;
  std::condition_variable came_;
  std::atomic<int> count_{0};
};

Event to_first;
Event to_second;

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 1;
  std::thread first([=] {
    int seen = 0;
    for (int i = 0; i < rounds; ++i) {
      seen = to_first.wait_after(seen);
      to_second.signal();
    }
  });
  std::thread second([=] {
    int seen = 0;
    for (int i = 0; i < rounds; ++i) {
      to_first.signal();
      seen = to_second.wait_after(seen);
    }
  });
  first.join();
  second.join();
}
