// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The queue of Michael and Scott over a fixed pool of nodes; links carry a version, so a node used again is not taken
// for the old one.
//
// expect: clean
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

namespace {

struct Link {
  std::uint32_t node;
  std::uint32_t version;
};

struct Node {
  std::atomic<int> value{0};
  std::atomic<Link> next{Link{0, 0}};
};

Node nodes[6];  // number 0 means none
std::atomic<Link> head{Link{1, 0}};
std::atomic<Link> tail{Link{1, 0}};
std::atomic<int> sum{0};

bool same(Link a, Link b) {
  return a.node == b.node && a.version == b.version;
}

void put(std::uint32_t mine, int value) {
  nodes[mine].value.store(value, std::memory_order_relaxed);
  nodes[mine].next.store(Link{0, nodes[mine].next.load().version + 1});
  for (;;) {
    Link last = tail.load();
    Link next = nodes[last.node].next.load();
    if (!same(last, tail.load())) continue;
    if (next.node != 0) {
      tail.compare_exchange_strong(last, Link{next.node, last.version + 1});
      continue;
    }
    if (nodes[last.node].next.compare_exchange_strong(next, Link{mine, next.version + 1})) {
      tail.compare_exchange_strong(last, Link{mine, last.version + 1});
      return;
    }
  }
}

bool take(int& value) {
  for (;;) {
    Link first = head.load();
    Link last = tail.load();
    const Link next = nodes[first.node].next.load();
    if (!same(first, head.load())) continue;
    if (first.node == last.node) {
      if (next.node == 0) return false;
      tail.compare_exchange_strong(last, Link{next.node, last.version + 1});
      continue;
    }
    value = nodes[next.node].value.load(std::memory_order_relaxed);
    if (head.compare_exchange_strong(first, Link{next.node, first.version + 1})) return true;
  }
}

}  // namespace

int main() {
  std::thread producer([] { put(2, 1); });
  std::thread consumer([] {
    int value = 0;
    if (take(value)) sum += value;
  });
  put(3, 2);
  producer.join();
  consumer.join();
  int value = 0;
  while (take(value)) sum += value;
  assert(sum == 3);
  return 0;
}
