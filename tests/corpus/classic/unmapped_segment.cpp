// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// unmapped_segment N: the current segment of a file is replaced by a new mapping, and the old one is unmapped, as
// caches of mapped files do. N readers take the pointer under the lock and use it behind the lock. No two accesses
// race: what is in a segment was written before it became current. The unmapping is no access, so only executions in
// which every shared access is a scheduling point stop a reader in between.
#include <sys/mman.h>

#include <cassert>
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

namespace {

struct Segment {
  std::size_t bytes;
};

constexpr std::size_t kPage = 4096;
std::mutex lock;
Segment* current = nullptr;

void replace_segment() {
  void* const memory = mmap(nullptr, kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(memory != MAP_FAILED);
  auto* const fresh = static_cast<Segment*>(memory);
  fresh->bytes = kPage - sizeof(Segment);
  Segment* old = nullptr;
  {
    const std::lock_guard hold(lock);
    old = current;
    current = fresh;
  }
  if (old != nullptr) munmap(old, kPage);
}

void read_length() {
  std::unique_lock hold(lock);
  const Segment* const segment = current;
#ifndef FIXED
  hold.unlock();
#endif
  const std::size_t bytes = segment->bytes;
#ifdef FIXED
  hold.unlock();
#endif
  assert(bytes < kPage);
}

}  // namespace

int main(int argc, char** argv) {
  const int readers = argc > 1 ? std::atoi(argv[1]) : 10;
  replace_segment();
  std::vector<std::thread> threads;
  for (int i = 0; i < readers; ++i) threads.emplace_back(read_length);
  replace_segment();
  replace_segment();
  for (std::thread& thread : threads) thread.join();
}
