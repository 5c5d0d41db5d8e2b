// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// moodycamel::ReaderWriterQueue: one producer, one consumer, order kept over block boundaries. BROKEN has two
// producers.
//
// expect: clean
// broken: kind=data-race|assertion|signal
#include <readerwriterqueue/readerwriterqueue.h>

#include <cassert>
#include <thread>

int main() {
  moodycamel::ReaderWriterQueue<int, 4> queue(2);
  std::thread producer([&] {
    for (int i = 1; i <= 5; ++i) queue.enqueue(i);
  });
#ifdef BROKEN
  std::thread other([&] { queue.enqueue(6); });
#endif
  int taken = 0;
  int last = 0;
  auto take = [&] {
    int value = 0;
    if (!queue.try_dequeue(value)) return false;
#ifndef BROKEN
    assert(value == last + 1);
#endif
    last = value;
    ++taken;
    return true;
  };
  std::thread consumer([&] {
    for (int tries = 0; tries < 4; ++tries) take();
  });
  producer.join();
#ifdef BROKEN
  other.join();
#endif
  consumer.join();
  while (take()) {
  }
#ifdef BROKEN
  assert(taken == 6);
#else
  assert(taken == 5);
#endif
}
