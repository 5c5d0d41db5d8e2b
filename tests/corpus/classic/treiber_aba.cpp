// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// treiber_aba: a lock-free stack whose nodes are used again. Between a pop's look at `next` and its compare-exchange
// the top may have been taken and put back with another `next`: a node is handed out twice.
#include <atomic>
#include <cassert>
#include <thread>

namespace {

struct Node {
  std::atomic<int> next{-1};
  std::atomic<bool> owned{false};
};
Node nodes[3];
#ifdef FIXED
struct Top {
  int node;
  unsigned version;
};
std::atomic<Top> top{Top{-1, 0}};
void push(int node) {
  Top seen = top;
  do nodes[node].next = seen.node;
  while (!top.compare_exchange_strong(seen, Top{node, seen.version + 1}));
}
int pop() {
  Top seen = top;
  while (seen.node >= 0) {
    const int next = nodes[seen.node].next;
    if (top.compare_exchange_strong(seen, Top{next, seen.version + 1})) break;
  }
  return seen.node;
}
#else
std::atomic<int> top{-1};
void push(int node) {
  int seen = top;
  do nodes[node].next = seen;
  while (!top.compare_exchange_strong(seen, node));
}
int pop() {
  int seen = top;
  while (seen >= 0) {
    const int next = nodes[seen].next;
    if (top.compare_exchange_strong(seen, next)) break;
  }
  return seen;
}
#endif

int take() {
  const int node = pop();
  if (node >= 0) assert(!nodes[node].owned.exchange(true));
  return node;
}
void give(int node) {
  if (node < 0) return;
  nodes[node].owned = false;
  push(node);
}

}  // namespace

int main() {
  push(1);
  push(0);
  std::thread other([] {
    const int first = take();
    take();  // kept
    give(first);
  });
  take();
  take();
  other.join();
}
