// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A stack of slots whose head is an index without a tag: the compare-exchange succeeds although the head was taken and
// put back meanwhile.
//
// expect: kind=atomicity-violation threads=T1,T2 lines=look,swap preemptions=1 message=succeeds.with.the.value
// options: --detect aba
#include <atomic>
#include <cstdint>
#include <thread>

constexpr std::uint64_t kNone = 99;
std::atomic<std::uint64_t> next_of[3] = {1, 2, kNone};
std::atomic<std::uint64_t> head{0};

#ifdef FIXED
constexpr std::uint64_t kTag = 1u << 16;  // every change makes another value
#else
constexpr std::uint64_t kTag = 0;
#endif

std::uint64_t index_of(std::uint64_t value) {
  return value & 0xffff;
}

std::uint64_t pop() {
  std::uint64_t seen = head.load();  // here: look
  while (index_of(seen) != kNone) {
    const std::uint64_t after = next_of[index_of(seen)].load();
    if (head.compare_exchange_strong(seen, (seen & ~std::uint64_t{0xffff}) + kTag + after)) break;  // here: swap
  }
  return index_of(seen);
}

void push(std::uint64_t slot) {
  std::uint64_t seen = head.load();
  do {
    next_of[slot].store(index_of(seen));
  } while (!head.compare_exchange_strong(seen, (seen & ~std::uint64_t{0xffff}) + kTag + slot));
}

int main() {
  std::thread one([] { pop(); });
  std::thread two([] {
    const std::uint64_t first = pop();
    if (first != kNone) push(first);
  });
  one.join();
  two.join();
  return 0;
}
