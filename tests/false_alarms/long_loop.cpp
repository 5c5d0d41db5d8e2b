// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two threads with tens of thousands of critical sections each: long is not wrong.
//
// expect: clean
// executions: 300
#include <cassert>
#include <mutex>
#include <thread>

namespace {

constexpr int kTimes = 40'000;
std::mutex mutex;
int guarded = 0;

void work() {
  for (int i = 0; i < kTimes; ++i) {
    const std::lock_guard<std::mutex> guard(mutex);
    ++guarded;
  }
}

}  // namespace

int main() {
  std::thread other(work);
  work();
  other.join();
  assert(guarded == 2 * kTimes);
  return 0;
}
