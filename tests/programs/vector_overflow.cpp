// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Of vectors that hang over the end of a block, only aligned reads are in order: a write changes what is not the
// block's.
//
// expect: kind=heap-overflow lines=write
// native: no
#include <emmintrin.h>

#include <cstdlib>
#include <thread>

__attribute__((noinline)) static void clear(char* at) {
  _mm_store_si128(reinterpret_cast<__m128i*>(at), _mm_setzero_si128());  // here: write
}

int main() {
  char* block = static_cast<char*>(std::malloc(24));
  std::thread other([block] { clear(block + 16); });
  other.join();
  std::free(block);
}
