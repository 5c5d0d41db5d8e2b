// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Grows the data segment.
//
// isolation: repeat
#include <unistd.h>

#include <cstdio>

#include "left_behind.h"

int main() {
  auto* memory = static_cast<unsigned char*>(sbrk(1 << 16));
  assert(memory != reinterpret_cast<void*>(-1));
  for (int i = 0; i < 1 << 16; ++i) assert(memory[i] == 0);
  memory[100] = 1;
  in_two_threads([&](int who) { memory[200 + who] = 1; });
  std::printf("%p\n", static_cast<void*>(memory));
}
