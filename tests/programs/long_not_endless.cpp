// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two threads that take a lock 400 000 times each: the same few events over and over, and still not endless. The
// counter of the loop is in a register.
//
// expect: clean
// iterations: 2
// operations: lock,unlock
#include <cassert>
#include <mutex>
#include <thread>

int main() {
  constexpr int kRounds = 400'000;
  std::mutex mutex;
  long total = 0;
  const auto add = [&] {
    for (int i = 0; i < kRounds; ++i) {
      const std::lock_guard<std::mutex> guard(mutex);
      ++total;
    }
  };
  std::thread first(add);
  std::thread second(add);
  first.join();
  second.join();
  assert(total == 2L * kRounds);
  return 0;
}
