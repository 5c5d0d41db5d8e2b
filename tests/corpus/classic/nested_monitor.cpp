// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// nested_monitor: a buffer whose operations hold its lock while they wait in a semaphore of its own. A consumer that
// comes first keeps the producer out for ever.
#include <condition_variable>
#include <mutex>
#include <thread>

namespace {

class Semaphore {
 public:
  explicit Semaphore(int count) : count_(count) {}
  void down() {
    std::unique_lock hold(lock_);
    changed_.wait(hold, [this] { return count_ > 0; });
    --count_;
  }
  void up() {
    const std::lock_guard hold(lock_);
    ++count_;
    changed_.notify_one();
  }

 private:
  std::mutex lock_;
  std::condition_variable changed_;
  int count_;
};

std::mutex monitor;
Semaphore full(0);
Semaphore empty(5);
int items = 0;

void put() {
#ifdef FIXED
  empty.down();
  const std::lock_guard hold(monitor);
#else
  const std::lock_guard hold(monitor);
  empty.down();
#endif
  ++items;
  full.up();
}

void get() {
#ifdef FIXED
  full.down();
  const std::lock_guard hold(monitor);
#else
  const std::lock_guard hold(monitor);
  full.down();
#endif
  --items;
  empty.up();
}

}  // namespace

int main() {
  std::thread producer(put);
  std::thread consumer(get);
  producer.join();
  consumer.join();
}
