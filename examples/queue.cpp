// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A queue that is closed: docs/coverage.md measures how well its test tries it.
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

class Queue {
 public:
  void put(int value) {
    const std::lock_guard<std::mutex> lock(mutex_);
    values_.push_back(value);
    ready_.notify_one();
  }
  bool take(int& value) {
    std::unique_lock<std::mutex> lock(mutex_);
    ready_.wait(lock, [this] { return closed_ || !values_.empty(); });
    if (values_.empty()) return false;
    value = values_.front();
    values_.pop_front();
    return true;
  }
  void close() {
    const std::lock_guard<std::mutex> lock(mutex_);
    closed_ = true;
    ready_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<int> values_;
  bool closed_ = false;
};

int main() {
  Queue queue;
  int sum = 0;
  std::thread consumer([&] {
    for (int value = 0; queue.take(value);) sum += value;
  });
  std::thread producer([&] {
    queue.put(1);
    queue.put(2);
  });
  producer.join();
  queue.close();
  consumer.join();
  assert(sum == 3);
}
