// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The queue lock of Mellor-Crummey and Scott: each thread spins on a node of its own, on its stack.
//
// expect: clean
#include <atomic>
#include <cassert>
#include <thread>

namespace {

struct Node {
  std::atomic<Node*> next{nullptr};
  std::atomic<bool> waits{false};
};

std::atomic<Node*> tail{nullptr};
int guarded = 0;

void lock(Node& mine) {
  mine.next.store(nullptr, std::memory_order_relaxed);
  mine.waits.store(true, std::memory_order_relaxed);
  Node* const before = tail.exchange(&mine, std::memory_order_acq_rel);
  if (before == nullptr) return;
  before->next.store(&mine, std::memory_order_release);
  while (mine.waits.load(std::memory_order_acquire)) {
  }
}

void unlock(Node& mine) {
  Node* after = mine.next.load(std::memory_order_acquire);
  if (after == nullptr) {
    Node* expected = &mine;
    if (tail.compare_exchange_strong(expected, nullptr, std::memory_order_release, std::memory_order_relaxed)) return;
    while ((after = mine.next.load(std::memory_order_acquire)) == nullptr) {
    }
  }
  after->waits.store(false, std::memory_order_release);
}

void work() {
  for (int i = 0; i < 2; ++i) {
    Node mine;
    lock(mine);
    ++guarded;
    unlock(mine);
  }
}

}  // namespace

int main() {
  std::thread first(work);
  std::thread second(work);
  work();
  first.join();
  second.join();
  assert(guarded == 6);
  return 0;
}
