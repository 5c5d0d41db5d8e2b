// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// channel_close: a sender looks whether the channel is open and then sends; it may be closed in between.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>

namespace {

class Channel {
 public:
  bool is_open() {
    std::lock_guard hold(lock_);
    return !closed_;
  }
  void send(int value) {
    std::lock_guard hold(lock_);
    assert(!closed_);
    values_.push(value);
    changed_.notify_one();
  }
  void try_send(int value) {
#ifdef FIXED
    std::lock_guard hold(lock_);
    if (closed_) return;
    values_.push(value);
    changed_.notify_one();
#else
    if (is_open()) send(value);
#endif
  }
  void close() {
    std::lock_guard hold(lock_);
    closed_ = true;
    changed_.notify_all();
  }
  int drain() {
    int sum = 0;
    std::unique_lock hold(lock_);
    for (;;) {
      changed_.wait(hold, [this] { return closed_ || !values_.empty(); });
      if (values_.empty()) return sum;
      sum += values_.front();
      values_.pop();
    }
  }

 private:
  std::mutex lock_;
  std::condition_variable changed_;
  std::queue<int> values_;
  bool closed_ = false;
};

}  // namespace

int main() {
  Channel channel;
  std::thread sender([&] { channel.try_send(1); });
  std::thread receiver([&] { channel.drain(); });
  channel.close();
  sender.join();
  receiver.join();
}
