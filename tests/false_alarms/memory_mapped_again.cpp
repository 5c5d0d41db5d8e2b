// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Memory that is unmapped by one thread and mapped by the other, at the same address; also by mremap and MADV_DONTNEED.
//
// expect: clean
#include <sys/mman.h>

#include <cassert>
#include <cstddef>
#include <thread>

namespace {

constexpr std::size_t kPage = 4096;

int* map(std::size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(memory != MAP_FAILED);
  return static_cast<int*>(memory);
}

void work(int value) {
  for (int i = 0; i < 3; ++i) {
    int* word = map(kPage);
    assert(*word == 0);
    *word = value;
    word = static_cast<int*>(mremap(word, kPage, 2 * kPage, MREMAP_MAYMOVE));
    assert(*word == value);
    madvise(word, 2 * kPage, MADV_DONTNEED);
    assert(*word == 0);
    munmap(word, 2 * kPage);
  }
}

}  // namespace

int main() {
  std::thread first(work, 1);
  std::thread second(work, 2);
  first.join();
  second.join();
  return 0;
}
