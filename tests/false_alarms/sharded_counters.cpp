// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Counters of many threads, relaxed, summed after the threads have been joined; and an approximate sum before.
//
// expect: clean
#include <array>
#include <atomic>
#include <cassert>
#include <thread>

namespace {

struct alignas(64) Shard {
  std::atomic<long> count{0};
};

std::array<Shard, 3> shards;

long sum() {
  long total = 0;
  for (const Shard& shard : shards) total += shard.count.load(std::memory_order_relaxed);
  return total;
}

void work(int me) {
  for (int i = 0; i < 3; ++i) {
    const long seen = shards[me].count.load(std::memory_order_relaxed);
    shards[me].count.store(seen + 1, std::memory_order_relaxed);
  }
}

}  // namespace

int main() {
  std::thread first(work, 0);
  std::thread second(work, 1);
  work(2);
  const long early = sum();
  first.join();
  second.join();
  assert(early >= 3 && early <= 9);
  assert(sum() == 9);
  return 0;
}
