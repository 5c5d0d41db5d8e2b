// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A block of many pages is freed and comes back from malloc, all in one thread that does nothing visible in between:
// the write to the new block is an event of its own, and races with whoever reads it without an order.
//
// expect: kind=data-race
// iterations: 1
// options: --strategy run-on
#include <atomic>
#include <cstdlib>
#include <thread>

namespace {
constexpr std::size_t kBytes = 4 << 20;
constexpr int kQuarantine = 1000;  // blocks: more than malloc keeps back

std::atomic<char*> published{nullptr};

char* allocate() {
  char* const block = static_cast<char*>(std::malloc(kBytes));
  *static_cast<volatile char*>(block + kBytes / 2) = 2;  // the compiler leaves out nothing
  return block;
}

void write_recycled() {
  for (int i = 0; i < kQuarantine; ++i) std::free(allocate());
  published.store(allocate(), std::memory_order_relaxed);
}
}  // namespace

int main() {
  std::thread writer(write_recycled);
  char* block = nullptr;
  while (block == nullptr) block = published.load(std::memory_order_relaxed);
  const char read = block[kBytes / 2];
  writer.join();
  std::free(block);
  return read == 2 ? 0 : 1;
}
