// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// producer_consumer P C N: P producers put N items each into a buffer, C consumers take them until the buffer is
// halted. Each consumer adds to the common total while it holds a lock of its own: an update is lost.
#include <array>
#include <cassert>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

namespace {

struct Item {
  int data = 0;
};

class Buffer {
 public:
  void put(const Item& item) {
    std::unique_lock hold(monitor_);
    while (used_ == kRoom) changed_.wait(hold);
    items_[(first_ + used_) % kRoom] = item;
    if (used_++ == 0) changed_.notify_all();
  }
  // Empty: the buffer was halted, and nothing is left.
  std::optional<Item> get() {
    std::unique_lock hold(monitor_);
    while (used_ == 0 && !halted_) changed_.wait(hold);
    if (used_ == 0) return std::nullopt;
    const Item item = items_[first_];
    first_ = (first_ + 1) % kRoom;
    if (used_-- == kRoom) changed_.notify_all();
    return item;
  }
  void halt() {
    const std::lock_guard hold(monitor_);
    halted_ = true;
    changed_.notify_all();
  }

 private:
  static constexpr std::size_t kRoom = 3;
  std::mutex monitor_;
  std::condition_variable changed_;
  std::array<Item, kRoom> items_;
  std::size_t first_ = 0;
  std::size_t used_ = 0;
  bool halted_ = false;
};

Buffer buffer;
int total = 0;

void produce(int items) {
  for (int i = 0; i < items; ++i) buffer.put(Item{1});
}

class Consumer {
 public:
  void operator()() {
    while (const std::optional<Item> item = buffer.get()) {
      const std::lock_guard hold(lock());
      total += item->data;
    }
  }

 private:
#ifdef FIXED
  static std::mutex& lock() {
    return common_;
  }
  static inline std::mutex common_;
#else
  std::mutex& lock() {
    return own_;
  }
  std::mutex own_;
#endif
};

}  // namespace

int main(int argc, char** argv) {
  const int producers = argc > 1 ? std::atoi(argv[1]) : 3;
  const int consumers = argc > 2 ? std::atoi(argv[2]) : 4;
  const int items = argc > 3 ? std::atoi(argv[3]) : 2;
  std::vector<std::thread> making;
  std::vector<std::thread> taking;
  std::vector<Consumer> takers(static_cast<std::size_t>(consumers));
  for (Consumer& taker : takers) taking.emplace_back([&taker] { taker(); });
  for (int i = 0; i < producers; ++i) making.emplace_back(produce, items);
  for (std::thread& one : making) one.join();
  buffer.halt();
  for (std::thread& one : taking) one.join();
  assert(total == items * producers);
}
