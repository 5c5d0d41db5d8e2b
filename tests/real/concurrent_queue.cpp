// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// moodycamel::ConcurrentQueue: two producers and two consumers lose nothing and invent nothing. A producer token is one
// thread's: BROKEN shares it. SMALL makes the queue reuse its blocks: version 1.0.3 then lacks an acquire between the
// last read of a block and the next write to it, which its authors have mended since.
// expect: clean
// broken: kind=data-race|assertion|signal|step-limit
// small: kind=data-race
#include <concurrentqueue/concurrentqueue.h>

#include <atomic>
#include <cassert>
#include <thread>

struct Traits : moodycamel::ConcurrentQueueDefaultTraits {
#ifdef SMALL
  static const size_t BLOCK_SIZE = 2;
#endif
};

int main() {
  moodycamel::ConcurrentQueue<int, Traits> queue(4);
  std::atomic<int> taken{0};
  std::atomic<int> sum{0};
#ifdef BROKEN
  moodycamel::ProducerToken token(queue);
  auto put = [&](int value) { queue.enqueue(token, value); };
#else
  auto put = [&](int value) { queue.enqueue(value); };
#endif
  std::thread first([&] {
    put(1);
    put(2);
    put(4);
  });
  std::thread second([&] {
    put(8);
    put(16);
  });
  auto consume = [&] {
    int value = 0;
    for (int tries = 0; tries < 3; ++tries) {
      if (queue.try_dequeue(value)) {
        sum += value;
        ++taken;
      }
    }
  };
  std::thread third(consume);
  std::thread fourth(consume);
  first.join();
  second.join();
  third.join();
  fourth.join();
  int value = 0;
  while (queue.try_dequeue(value)) {
    sum += value;
    ++taken;
  }
  assert(taken == 5);
  assert(sum == 31);
}
