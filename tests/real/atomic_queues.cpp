// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// atomic_queue's bounded queues for many producers and consumers. BROKEN declares a single producer and has two.
//
// expect: clean
// broken: kind=data-race|assertion|deadlock|step-limit|livelock
// decisive: named
// libraries: -latomic
#include <atomic_queue/atomic_queue.h>

#include <atomic>
#include <cassert>
#include <thread>

int main() {
#ifdef BROKEN
  atomic_queue::AtomicQueue<int, 8, 0, true, true, false, true> queue;
#else
  atomic_queue::AtomicQueue<int, 8> queue;
#endif
  atomic_queue::AtomicQueue2<int, 8> values;
  std::atomic<int> sum{0};
  auto produce = [&](int value) {
    queue.push(value);
    values.push(value * 10);
  };
  std::thread first(produce, 1);
  std::thread second(produce, 2);
  first.join();
  second.join();
  auto consume = [&] {
    int value = 0;
    if (queue.try_pop(value)) sum += value;
    if (values.try_pop(value)) sum += value;
  };
  std::thread third(consume);
  consume();
  third.join();
  assert(sum == 33);
  return 0;
}
