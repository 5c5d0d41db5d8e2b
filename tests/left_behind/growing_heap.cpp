// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Memory that is never freed, large blocks that are, and memory that must be zero.
//
// isolation: repeat
#include <cstdlib>
#include <cstring>

#include "left_behind.h"

int main() {
  static void* kept[2];
  in_two_threads([](int who) {
    assert(kept[who] == nullptr);
    for (std::size_t size = 16; size < 200'000; size *= 3) {
      auto* zeros = static_cast<unsigned char*>(std::calloc(1, size));
      for (std::size_t i = 0; i < size; i += 7) assert(zeros[i] == 0);
      std::memset(zeros, 0xff, size);
      kept[who] = zeros;
      void* passing = std::malloc(size * 2);
      std::memset(passing, 0x11, size * 2);
      std::free(passing);
    }
  });
}
