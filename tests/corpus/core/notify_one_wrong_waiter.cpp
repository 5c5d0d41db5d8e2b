// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Notify-one wakes the wrong waiter: producers and consumers sleep on one condition, and a consumer is woken instead of
// the producer.
//
// expect: kind=deadlock threads=T3 lines=full preemptions=0
// operations: lock,unlock,signal
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

namespace {

class Mailbox {
 public:
  void post(int letter) {
    std::unique_lock<std::mutex> lock(mutex_);
    while (letter_.has_value()) {
      emptied().wait(lock);  // here: full
    }
    letter_ = letter;
    filled().notify_one();
  }

  int collect() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!letter_.has_value()) {
      filled().wait(lock);
    }
    const int letter = *letter_;
    letter_.reset();
    emptied().notify_one();
    return letter;
  }

 private:
  std::condition_variable& filled() { return changed_; }
#ifdef FIXED
  std::condition_variable& emptied() {
    return emptied_;
  }
  std::condition_variable emptied_;
#else
  std::condition_variable& emptied() {
    return changed_;
  }
#endif

  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<int> letter_;
};

}  // namespace

int main() {
  Mailbox mailbox;
  std::thread first_reader([&mailbox] { mailbox.collect(); });
  std::thread second_reader([&mailbox] { mailbox.collect(); });
  std::thread postman([&mailbox] {
    mailbox.post(1);
    mailbox.post(2);
  });
  first_reader.join();
  second_reader.join();
  postman.join();
  return 0;
}
