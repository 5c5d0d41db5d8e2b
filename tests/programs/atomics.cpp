// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Atomics of every size and kind of operation, with fences; message passing without a race.
//
// expect: clean
// operations: load,store,rmw,cas,fence
#include <atomic>
#include <cassert>
#include <cstdint>
#include <thread>

namespace {

template <typename T>
void arithmetic() {
  std::atomic<T> word{0};
  const auto work = [&word] {
    word.fetch_add(3);
    word.fetch_sub(1);
    word.fetch_or(0);
    word.fetch_and(static_cast<T>(~T{0}));
    word.fetch_xor(0);
    T seen = word.load();
    while (!word.compare_exchange_weak(seen, static_cast<T>(seen + 1))) {
    }
  };
  std::thread other(work);
  work();
  other.join();
  assert(word.load() == 6);
  assert(word.exchange(9) == 6);
  T expected = 1;
  assert(!word.compare_exchange_strong(expected, 2) && expected == 9);
}

void fences() {
  int payload = 0;
  std::atomic<int> flag{0};
  std::thread writer([&] {
    payload = 11;
    std::atomic_thread_fence(std::memory_order_release);
    flag.store(1, std::memory_order_relaxed);
  });
  if (flag.load(std::memory_order_relaxed) == 1) {
    std::atomic_thread_fence(std::memory_order_acquire);
    assert(payload == 11);
  }
  writer.join();
}

void release_acquire() {
  int payload = 0;
  std::atomic<bool> flag{false};
  std::thread writer([&] {
    payload = 12;
    flag.store(true, std::memory_order_release);
  });
  while (!flag.load(std::memory_order_acquire)) {
  }
  assert(payload == 12);
  writer.join();
}

struct Pair {
  std::uint64_t left;
  std::uint64_t right;
};

void wide() {
  std::atomic<Pair> pair{Pair{1, 2}};
  std::thread writer([&pair] { pair.store(Pair{3, 4}); });
  const Pair seen = pair.load();
  assert(seen.right == seen.left + 1);
  writer.join();
  assert(pair.load().left == 3);
}

}  // namespace

int main() {
  arithmetic<std::uint8_t>();
  arithmetic<std::uint16_t>();
  arithmetic<std::uint32_t>();
  arithmetic<std::uint64_t>();
  fences();
  release_acquire();
  wide();
  return 0;
}
