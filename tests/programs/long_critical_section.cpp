// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The holder of a lock makes many plain accesses while everybody else waits for it: a thread that runs for long is set
// back now and then, and must still be able to go on when it is the only one.
// expect: clean
// operations: lock,unlock
// iterations: 20
#include <cassert>
#include <mutex>
#include <thread>

namespace {
std::mutex mutex;
int cells[64];

void work() {
  const std::lock_guard lock(mutex);
  for (int i = 0; i < 25'000; ++i) ++cells[i % 64];
}
}  // namespace

int main() {
  std::thread first(work);
  std::thread second(work);
  std::thread third(work);
  first.join();
  second.join();
  third.join();
  long sum = 0;
  for (int cell : cells) sum += cell;
  assert(sum == 75'000);
}
