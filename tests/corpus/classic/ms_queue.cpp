// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// ms_queue: the queue of Michael and Scott (PODC 1996) whose dequeue frees the old dummy node at once, while another
// thread still reads its link.
#include <atomic>
#include <cassert>
#include <thread>

namespace {

struct Node {
  int value = 0;
  std::atomic<Node*> next{nullptr};
};

std::atomic<Node*> head;
std::atomic<Node*> tail;
#ifdef FIXED
Node* kept[8];
std::atomic<int> kept_count{0};
void retire(Node* node) {
  kept[kept_count.fetch_add(1)] = node;
}
#else
void retire(Node* node) {
  delete node;
}
#endif

void enqueue(int value) {
  Node* node = new Node{value};
  for (;;) {
    Node* last = tail.load();
    Node* next = last->next.load();
    if (next != nullptr) {
      tail.compare_exchange_strong(last, next);
    } else if (last->next.compare_exchange_strong(next, node)) {
      tail.compare_exchange_strong(last, node);
      return;
    }
  }
}

bool dequeue(int& value) {
  for (;;) {
    Node* first = head.load();
    Node* last = tail.load();
    Node* next = first->next.load();
    if (first != head.load()) continue;
    if (next == nullptr) return false;
    if (first == last) {
      tail.compare_exchange_strong(last, next);
      continue;
    }
    value = next->value;
    if (head.compare_exchange_strong(first, next)) {
      retire(first);
      return true;
    }
  }
}

void take() {
  int value = 0;
  if (dequeue(value)) assert(value == 1 || value == 2);
}

}  // namespace

int main() {
  Node* dummy = new Node;
  head = dummy;
  tail = dummy;
  enqueue(1);
  enqueue(2);
  std::thread first(take);
  std::thread second(take);
  first.join();
  second.join();
  for (Node* node = head.load(); node != nullptr;) {
    Node* next = node->next.load();
    delete node;
    node = next;
  }
#ifdef FIXED
  for (int i = 0; i < kept_count.load(); ++i) delete kept[i];
#endif
}
