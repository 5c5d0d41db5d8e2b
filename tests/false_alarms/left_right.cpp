// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The left-right construction: readers use one copy while the writer changes the other, then they change over.
//
// expect: clean
#include <atomic>
#include <cassert>
#include <thread>

namespace {

struct Pair {
  int low = 0;
  int high = 0;
};

Pair copies[2];
std::atomic<int> readable{0};
std::atomic<int> version{0};
std::atomic<int> readers[2];

void read() {
  const int mine = version.load();
  ++readers[mine];
  const Pair& seen = copies[readable.load()];
  assert(seen.low == seen.high);
  --readers[mine];
}

void wait_for(int side) {
  while (readers[side].load() != 0) std::this_thread::yield();
}

void change(Pair& pair) {
  ++pair.low;
  ++pair.high;
}

void write() {
  const int now = readable.load();
  change(copies[1 - now]);
  readable.store(1 - now);
  const int old = version.load();
  wait_for(1 - old);
  version.store(1 - old);
  wait_for(old);
  change(copies[now]);
}

}  // namespace

int main() {
  std::thread first([] {
    read();
    read();
  });
  std::thread second([] { read(); });
  write();
  write();
  first.join();
  second.join();
  assert(copies[0].low == 2 && copies[1].high == 2);
  return 0;
}
