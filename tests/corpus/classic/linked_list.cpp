// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// linked_list N: N builders append a node each to a list by walking to its end.
#include <atomic>
#include <cassert>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace {

struct Node {
  std::atomic<Node*> next{nullptr};
};
Node head;
#ifdef FIXED
std::mutex lock;
#endif

void append(Node& node) {
#ifdef FIXED
  std::lock_guard hold(lock);
#endif
  Node* last = &head;
  while (Node* next = last->next) last = next;
  last->next = &node;
}

}  // namespace

int main(int argc, char** argv) {
  const int builders = argc > 1 ? std::atoi(argv[1]) : 2;
  const auto nodes = std::make_unique<Node[]>(static_cast<std::size_t>(builders));
  std::vector<std::thread> all;
  for (int i = 0; i < builders; ++i) all.emplace_back([&, i] { append(nodes[i]); });
  for (std::thread& one : all) one.join();
  int count = 0;
  for (const Node* node = head.next; node != nullptr; node = node->next) ++count;
  assert(count == builders);
}
