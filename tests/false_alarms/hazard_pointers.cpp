// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A stack whose nodes are freed only when no hazard pointer names them.
//
// expect: clean
#include <atomic>
#include <cassert>
#include <thread>

namespace {

struct Node {
  int value;
  Node* next;
};

std::atomic<Node*> top{nullptr};
std::atomic<Node*> hazards[2];
std::atomic<int> taken{0};

void push(int value) {
  Node* const node = new Node{value, top.load()};
  while (!top.compare_exchange_weak(node->next, node)) {
  }
}

bool named(const Node* node) {
  for (std::atomic<Node*>& hazard : hazards) {
    if (hazard.load() == node) return true;
  }
  return false;
}

void pop(int me) {
  Node* node = top.load();
  for (;;) {
    Node* seen = nullptr;
    do {
      seen = node;
      hazards[me].store(seen);
      node = top.load();
    } while (node != seen);
    if (node == nullptr) break;
    if (top.compare_exchange_strong(node, node->next)) break;
  }
  hazards[me].store(nullptr);
  if (node == nullptr) return;
  taken += node->value;
  while (named(node)) std::this_thread::yield();
  delete node;
}

}  // namespace

int main() {
  push(1);
  push(2);
  std::thread other([] {
    pop(0);
    push(4);
  });
  pop(1);
  pop(1);
  other.join();
  pop(0);
  pop(0);
  assert(taken == 7);
  return 0;
}
