// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The last vector of a block that is no multiple of 16 bytes is read whole, and what is not the block's masked: CRC and
// searches by vectors do so, since an aligned read cannot fault.
//
// expect: clean
#include <emmintrin.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace {

constexpr std::size_t kSize = 1016;

__attribute__((noinline)) int sum(const char* block, std::size_t size) {
  int total = 0;
  for (std::size_t at = 0; at < size; at += 16) {
    alignas(16) unsigned char bytes[16];
    _mm_store_si128(reinterpret_cast<__m128i*>(bytes), _mm_load_si128(reinterpret_cast<const __m128i*>(block + at)));
    for (std::size_t i = 0; i < 16 && at + i < size; ++i) total += bytes[i];
  }
  return total;
}

int sum_of_block() {
  char* block = static_cast<char*>(std::malloc(kSize));
  std::memset(block, 1, kSize);
  const int total = sum(block, kSize);
  std::free(block);
  return total;
}

}  // namespace

int main() {
  std::atomic<int> first{0};
  std::thread other([&first] { first = sum_of_block(); });
  const int second = sum_of_block();
  (void)first.load();
  other.join();
  return first == static_cast<int>(kSize) && second == first ? 0 : 1;
}
