// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// One thing that grows from execution to execution: `growth heap BYTES` writes a block of so many bytes and frees it
// beside another thread; `growth threads COUNT` has so many threads, which are joined at the end.
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

std::atomic<int> counter{0};

void use_heap(std::size_t bytes) {
  std::thread other([] { counter.fetch_add(1); });
  if (bytes != 0) {
    auto* const block = static_cast<char*>(std::malloc(bytes));
    std::memset(block, 1, bytes);
    counter.fetch_add(block[bytes / 2]);
    std::free(block);
  }
  counter.fetch_add(1);  // in any order with the other thread's
  other.join();
}

void use_threads(std::size_t count) {
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < count; ++i) threads.emplace_back([] { counter.fetch_add(1); });
  for (std::thread& thread : threads) thread.join();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::size_t n = std::strtoull(argv[2], nullptr, 10);
  std::string(argv[1]) == "heap" ? use_heap(n) : use_threads(n);
  return 0;
}
