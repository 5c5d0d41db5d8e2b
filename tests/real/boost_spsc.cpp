// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// boost::lockfree::spsc_queue: one producer, one consumer. BROKEN has two producers.
// expect: clean
// broken: kind=data-race|assertion
#include <boost/lockfree/spsc_queue.hpp>
#include <cassert>
#include <thread>

int main() {
  boost::lockfree::spsc_queue<int, boost::lockfree::capacity<4>> queue;
  auto produce = [&](int from, int count) {
    for (int i = 0; i < count; ++i) queue.push(from + i);
  };
  std::thread producer(produce, 1, 3);
#ifdef BROKEN
  std::thread other(produce, 100, 1);
#endif
  int taken = 0;
  std::thread consumer([&] {
    int value = 0;
    for (int tries = 0; tries < 4; ++tries) taken += queue.pop(value) ? 1 : 0;
  });
  producer.join();
#ifdef BROKEN
  other.join();
#endif
  consumer.join();
  int value = 0;
  while (queue.pop(value)) ++taken;
#ifdef BROKEN
  assert(taken == 4);
#else
  assert(taken == 3);
#endif
}
