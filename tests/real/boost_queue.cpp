// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// boost::lockfree::queue and stack: nothing is lost between two producers and two consumers. A node that is taken again
// is written while others may still read it, without atomics (they throw away what they read): a data race by the
// standard, known to the authors, and nothing worse.
// expect: kind=data-race
#include <atomic>
#include <boost/lockfree/queue.hpp>
#include <boost/lockfree/stack.hpp>
#include <cassert>
#include <thread>

int main() {
  boost::lockfree::queue<int> queue(4);
  boost::lockfree::stack<int> stack(4);
  std::atomic<int> sum{0};
  auto produce = [&](int from) {
    while (!queue.push(from)) {
    }
    while (!stack.push(from * 2)) {
    }
  };
  auto consume = [&] {
    int value = 0;
    if (queue.pop(value)) sum += value;
    if (stack.pop(value)) sum += value;
  };
  std::thread first(produce, 1);
  std::thread second(produce, 10);
  std::thread third(consume);
  std::thread fourth(consume);
  first.join();
  second.join();
  third.join();
  fourth.join();
  int value = 0;
  while (queue.pop(value)) sum += value;
  while (stack.pop(value)) sum += value;
  assert(sum == 33);
}
