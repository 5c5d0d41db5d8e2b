// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Objects that die with their last reference: a relaxed count up, a release count down and an acquire fence before the
// end.
//
// expect: clean
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

namespace {

class Node {
 public:
  void keep() { count_.fetch_add(1, std::memory_order_relaxed); }
  void drop() {
    if (count_.fetch_sub(1, std::memory_order_release) != 1) return;
    std::atomic_thread_fence(std::memory_order_acquire);
    assert(written == 3);
    delete this;
  }
  int written = 0;
  std::atomic<int> marks{0};

 private:
  std::atomic<int> count_{1};
};

}  // namespace

int main() {
  auto* const node = new Node;
  node->written = 3;
  node->keep();
  node->keep();
  const auto use = [node] {
    node->marks.fetch_add(1, std::memory_order_relaxed);
    node->drop();
  };
  std::thread first(use);
  std::thread second(use);
  use();
  first.join();
  second.join();
  auto shared = std::make_shared<int>(1);
  std::weak_ptr<int> weak = shared;
  std::thread owner([shared = std::move(shared)]() mutable { shared.reset(); });
  if (const auto locked = weak.lock()) assert(*locked == 1);
  owner.join();
  assert(weak.expired());
  return 0;
}
