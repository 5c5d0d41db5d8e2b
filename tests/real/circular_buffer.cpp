// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// moodycamel::BlockingReaderWriterCircularBuffer: both sides wait for each other. BROKEN has two consumers.
// expect: clean
// broken: kind=data-race|assertion|deadlock|signal
#include <readerwriterqueue/readerwritercircularbuffer.h>

#include <cassert>
#include <thread>

int main() {
  moodycamel::BlockingReaderWriterCircularBuffer<int> buffer(2);
  std::thread producer([&] {
    for (int i = 1; i <= 4; ++i) buffer.wait_enqueue(i);
  });
  int sum = 0;
  auto consume = [&](int count) {
    for (int i = 0; i < count; ++i) {
      int value = 0;
      buffer.wait_dequeue(value);
      sum += value;
    }
  };
#ifdef BROKEN
  std::thread other(consume, 2);
  std::thread consumer(consume, 2);
  other.join();
#else
  std::thread consumer(consume, 4);
#endif
  producer.join();
  consumer.join();
  assert(sum == 10);
}
