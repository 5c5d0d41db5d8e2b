// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Flat combining: who has the lock does the work of all that asked.
//
// expect: clean
#include <atomic>
#include <cassert>
#include <thread>

namespace {

struct Request {
  std::atomic<bool> pending{false};
  int argument = 0;
  int result = 0;
};

Request requests[3];
std::atomic_flag busy = ATOMIC_FLAG_INIT;
int total = 0;

void combine() {
  for (Request& request : requests) {
    if (!request.pending.load(std::memory_order_acquire)) continue;
    total += request.argument;
    request.result = total;
    request.pending.store(false, std::memory_order_release);
  }
}

void add(int me, int value) {
  Request& mine = requests[me];
  mine.argument = value;
  mine.pending.store(true, std::memory_order_release);
  while (mine.pending.load(std::memory_order_acquire)) {
    if (busy.test_and_set(std::memory_order_acquire)) {
      std::this_thread::yield();
      continue;
    }
    combine();
    busy.clear(std::memory_order_release);
  }
  assert(mine.result >= value);
}

}  // namespace

int main() {
  std::thread first(add, 0, 1);
  std::thread second(add, 1, 2);
  add(2, 4);
  first.join();
  second.join();
  assert(total == 7);
  return 0;
}
