// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// linked_list B N: B builders append N nodes each to one list by walking to its end; none of it is locked. Nodes get
// lost.
#include <cassert>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace {

struct Node {
  int value = 0;
  Node* next = nullptr;
};

class List {
 public:
  void append(Node& node) {
#ifdef FIXED
    const std::lock_guard hold(lock_);
#endif
    Node* last = &head_;
    while (last->next != nullptr) last = last->next;
    last->next = &node;
  }
  [[nodiscard]] int size() const {
    int count = 0;
    for (const Node* node = head_.next; node != nullptr; node = node->next) ++count;
    return count;
  }

 private:
  Node head_;
#ifdef FIXED
  std::mutex lock_;
#endif
};

class Builder {
 public:
  Builder(List& list, int first, int count)
      : list_(list), first_(first), nodes_(std::make_unique<Node[]>(static_cast<std::size_t>(count))), count_(count) {}

  void operator()() {
    for (int i = 0; i < count_; ++i) {
      nodes_[i].value = first_ + i;
      list_.append(nodes_[i]);
    }
  }

 private:
  List& list_;
  int first_;
  std::unique_ptr<Node[]> nodes_;
  int count_;
};

}  // namespace

int main(int argc, char** argv) {
  const int builders = argc > 1 ? std::atoi(argv[1]) : 2;
  const int nodes = argc > 2 ? std::atoi(argv[2]) : 3;
  List list;
  std::vector<Builder> all;
  for (int i = 0; i < builders; ++i) all.emplace_back(list, i * nodes, nodes);
  std::vector<std::thread> threads;
  for (Builder& builder : all) threads.emplace_back([&builder] { builder(); });
  for (std::thread& one : threads) one.join();
  assert(list.size() == builders * nodes);
}
