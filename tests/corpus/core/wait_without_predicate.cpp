// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Wait without predicate: the queue is tested once with `if`; another worker may take the job before the woken one
// runs.
//
// expect: kind=assertion threads=T1,T2,T3 lines=check preemptions=1
// operations: lock,unlock,signal
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace {

class JobQueue {
 public:
  void submit(int job) {
    {
      std::lock_guard<std::mutex> guard(mutex_);
      jobs_.push_back(job);
    }
    available_.notify_one();
  }

  int take() {
    std::unique_lock<std::mutex> lock(mutex_);
#ifdef FIXED
    while (jobs_.empty()) {
#else
    if (jobs_.empty()) {
#endif
      available_.wait(lock);
    }
    assert(!jobs_.empty());  // here: check
    const int job = jobs_.front();
    jobs_.pop_front();
    return job;
  }

 private:
  std::mutex mutex_;
  std::condition_variable available_;
  std::deque<int> jobs_;
};

}  // namespace

int main() {
  JobQueue queue;
  std::thread first_worker([&queue] { queue.take(); });
  std::thread second_worker([&queue] { queue.take(); });
  std::thread client([&queue] {
    queue.submit(1);
    queue.submit(2);
  });
  first_worker.join();
  second_worker.join();
  client.join();
  return 0;
}
