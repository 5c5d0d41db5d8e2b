// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// More steps than the limit allows, all alike: nothing that an observer of events could tell from a livelock. The
// progress is in registers, on the heap, in a global and in thread-local storage, one after the other. The executions
// are cut, which is no finding.
//
// expect: clean
// iterations: 20
// options: --max-steps 2000
// note: --max-steps
#include <atomic>
#include <memory>
#include <thread>

namespace {

constexpr int kRounds = 1'000;
std::atomic<int> turn{0};
int done_globally = 0;
thread_local int done_by_thread = 0;

void step() {
  turn.fetch_xor(1);
  turn.fetch_xor(1);
}

void count_everywhere() {
  const auto on_heap = std::make_unique<int>(0);
  for (int i = 0; i < kRounds; ++i) step();
  while (++*on_heap < kRounds) step();
  while (++done_by_thread < kRounds) step();
}

}  // namespace

int main() {
  std::thread other(count_everywhere);
  while (++done_globally < kRounds) step();
  count_everywhere();
  other.join();
  return 0;
}
