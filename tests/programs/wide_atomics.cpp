// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Atomics of 16 bytes and more: exchanged whole, never torn, and no races of the hidden locks behind them.
//
// expect: clean
// flags: -latomic
// variants: -O0; -O1 -mcx16; -O3 -no-pie -fno-pie; -O2 -fPIE -pie
// operations: cas,load
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

struct Pair {
  std::uint64_t first;
  std::uint64_t second;
};
struct Large {
  std::uint64_t words[5];
};

static std::atomic<Pair> pair{Pair{0, 0}};
static std::atomic<Large> large{};
static std::atomic<__int128> number{0};

static void work() {
  Pair seen = pair.load();
  while (!pair.compare_exchange_weak(seen, Pair{seen.first + 1, seen.second + 1})) assert(seen.first == seen.second);
  Large old = large.load();
  for (;;) {
    Large next = old;
    for (std::uint64_t& word : next.words) ++word;
    if (large.compare_exchange_strong(old, next)) break;
    assert(old.words[0] == old.words[4]);
  }
  __int128 value = number;
  while (!number.compare_exchange_weak(value, value + (static_cast<__int128>(1) << 64) + 1)) {
  }
}

int main() {
  std::thread first(work);
  std::thread second(work);
  const Pair seen = pair;
  assert(seen.first == seen.second);
  first.join();
  second.join();
  assert(pair.load().first == 2 && large.load().words[4] == 2);
  assert(number == (static_cast<__int128>(2) << 64) + 2);
  large.store(Large{});
  return 0;
}
