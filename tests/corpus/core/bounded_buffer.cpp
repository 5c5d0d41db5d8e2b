// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Bounded buffer: the producer signals only when the buffer was empty, so the second of two sleeping consumers is
// forgotten.
//
// expect: kind=deadlock threads=T1|T2 lines=sleep preemptions=0
// operations: lock,unlock,signal
#include <array>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>

namespace {

class Buffer {
 public:
  void put(int item) {
    std::unique_lock<std::mutex> lock(mutex_);
    not_full_.wait(lock, [this] { return count_ < items_.size(); });
    items_[count_++] = item;
#ifdef FIXED
    not_empty_.notify_one();
#else
    if (count_ == 1) {
      not_empty_.notify_one();
    }
#endif
  }

  int get() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (count_ == 0) {
      not_empty_.wait(lock);  // here: sleep
    }
    const int item = items_[--count_];
    not_full_.notify_one();
    return item;
  }

 private:
  std::mutex mutex_;
  std::condition_variable not_full_;
  std::condition_variable not_empty_;
  std::array<int, 2> items_{};
  std::size_t count_ = 0;
};

}  // namespace

int main() {
  Buffer buffer;
  std::thread first_consumer([&buffer] { buffer.get(); });
  std::thread second_consumer([&buffer] { buffer.get(); });
  std::thread producer([&buffer] {
    buffer.put(1);
    buffer.put(2);
  });
  first_consumer.join();
  second_consumer.join();
  producer.join();
  return 0;
}
