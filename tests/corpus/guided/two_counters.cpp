// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two counters without a lock: `hits' and `bytes' in one line of each thread, `bytes' in another line too. Either race
// on `bytes' breaks the same assertion, in a schedule of its own.
#include <cassert>
#include <thread>

namespace {
int hits = 0;
int bytes = 0;

// clang-format off
void count() {
  ++hits; bytes += 2;
  bytes += 3;
}
void count_again() {
  ++hits; bytes += 7;
}
// clang-format on
}  // namespace

int main() {
  std::thread first(count);
  std::thread second(count_again);
  first.join();
  second.join();
  assert(hits == 2);
  assert(bytes == 12);
}
