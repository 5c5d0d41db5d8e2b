// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The queue lock of Craig, Landin and Hagersten: each thread spins on the node of the one before it and takes that
// over.
//
// expect: clean
#include <atomic>
#include <cassert>
#include <thread>

namespace {

struct Node {
  std::atomic<bool> held{false};
};

std::atomic<Node*> tail{new Node};
int guarded = 0;

void work() {
  Node* mine = new Node;
  for (int i = 0; i < 2; ++i) {
    mine->held.store(true, std::memory_order_relaxed);
    Node* const before = tail.exchange(mine, std::memory_order_acq_rel);
    while (before->held.load(std::memory_order_acquire)) std::this_thread::yield();
    ++guarded;
    mine->held.store(false, std::memory_order_release);
    mine = before;
  }
  delete mine;
}

}  // namespace

int main() {
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
  assert(guarded == 4);
  delete tail.load();
  return 0;
}
