// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Threads that map, write and unmap memory: the system gives the same addresses out again, but it is other memory.
//
// expect: clean
// iterations: 300
#include <sys/mman.h>

#include <cassert>
#include <thread>

namespace {

void use_memory() {
  for (int i = 0; i < 5; ++i) {
    void* const memory = mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(memory != MAP_FAILED);
    auto* const word = static_cast<int*>(memory);
    *word = i;
    std::this_thread::yield();
    assert(*word == i);
    munmap(memory, 4096);
  }
}

}  // namespace

int main() {
  std::thread first(use_memory);
  std::thread second(use_memory);
  first.join();
  second.join();
  return 0;
}
