// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two threads see room for one more entry and both take one: the second writes behind the block.
//
// expect: kind=heap-overflow threads=T1|T2 lines=allocated,used preemptions=1
#include <atomic>
#include <functional>
#include <thread>

namespace {

constexpr int kRoom = 3;

struct Log {
  std::atomic<int> count{0};
  long* entries = nullptr;
};

void append(Log& log, long value) {
#ifdef FIXED
  const int mine = log.count.fetch_add(1);
  if (mine < kRoom) log.entries[mine] = value;
#else
  if (log.count.load() == kRoom) return;
  log.entries[log.count.fetch_add(1)] = value;  // here: used
#endif
}

void append_two(Log& log) {
  append(log, 1);
  append(log, 2);
}

}  // namespace

int main() {
  Log log;
  log.entries = new long[kRoom];  // here: allocated
  std::thread first(append_two, std::ref(log));
  std::thread second(append_two, std::ref(log));
  first.join();
  second.join();
  delete[] log.entries;
}
