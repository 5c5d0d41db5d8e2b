// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A reader-writer lock of one word: readers count up, the writer waits until it can set the highest bit.
//
// expect: clean
#include <atomic>
#include <cassert>
#include <thread>

namespace {

constexpr unsigned kWriter = 1U << 31;
std::atomic<unsigned> state{0};
int low = 0;
int high = 0;

void read() {
  for (;;) {
    unsigned seen = state.load(std::memory_order_relaxed);
    if ((seen & kWriter) == 0 && state.compare_exchange_weak(seen, seen + 1, std::memory_order_acquire)) break;
    std::this_thread::yield();
  }
  assert(low == high);
  state.fetch_sub(1, std::memory_order_release);
}

void write() {
  unsigned none = 0;
  while (!state.compare_exchange_weak(none, kWriter, std::memory_order_acquire)) {
    none = 0;
    std::this_thread::yield();
  }
  ++low;
  ++high;
  state.fetch_and(~kWriter, std::memory_order_release);
}

}  // namespace

int main() {
  std::thread reader([] { read(); });
  std::thread writer([] { write(); });
  write();
  read();
  reader.join();
  writer.join();
  assert(low == 2);
  return 0;
}
