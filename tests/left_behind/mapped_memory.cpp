// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Maps memory and leaves it: the next one gets the same place, full of zeros.
//
// isolation: repeat
#include <sys/mman.h>

#include <cstdint>
#include <cstdio>

#include "left_behind.h"

int main() {
  in_two_threads([](int) {
    auto* memory =
        static_cast<unsigned char*>(mmap(nullptr, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    assert(memory != MAP_FAILED);
    for (int i = 0; i < 1 << 20; i += 4096) assert(memory[i] == 0);
    memory[5 * 4096] = 1;
    munmap(memory + (1 << 19), 1 << 19);
    std::printf("%p\n", static_cast<void*>(memory));
  });
}
