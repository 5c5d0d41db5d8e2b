// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// moodycamel::BlockingConcurrentQueue: a consumer that waits gets everything, in the order of each producer.
// expect: clean
#include <concurrentqueue/blockingconcurrentqueue.h>

#include <cassert>
#include <thread>

int main() {
  moodycamel::BlockingConcurrentQueue<int> queue;
  std::thread first([&] {
    queue.enqueue(10);
    queue.enqueue(11);
  });
  std::thread second([&] { queue.enqueue(20); });
  int last = 0;
  int sum = 0;
  std::thread consumer([&] {
    for (int i = 0; i < 3; ++i) {
      int value = 0;
      queue.wait_dequeue(value);
      sum += value;
      if (value / 10 == 1) {
        assert(value > last);
        last = value;
      }
    }
  });
  first.join();
  second.join();
  consumer.join();
  assert(sum == 41);
}
