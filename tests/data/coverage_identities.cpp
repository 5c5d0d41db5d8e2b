// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Four threads from one loop with two behaviours; a thousand objects from one `new' and one from another. All of them
// are locked by two threads, so that tasks name them.
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace {

struct Box {
  std::mutex lock;
  int value = 0;
};

[[gnu::noinline]] void touch(Box& box) {
  const std::lock_guard<std::mutex> hold(box.lock);
  ++box.value;
}
[[gnu::noinline]] void many(const std::vector<std::unique_ptr<Box>>& boxes) {
  for (const auto& box : boxes) touch(*box);
}
[[gnu::noinline]] void one(Box& box) {
  touch(box);
}

}  // namespace

int main() {
  std::vector<std::unique_ptr<Box>> boxes;
  for (int i = 0; i < 1000; ++i) boxes.emplace_back(new Box);
  const std::unique_ptr<Box> other(new Box);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      if (i % 2 == 0) {
        many(boxes);
      } else {
        one(*other);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}
