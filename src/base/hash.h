// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// 64-bit mixing for hash tables, fingerprints and seeds. Not cryptographic. mix64 is a bijection (the finaliser of
// SplitMix64), so distinct small numbers never collide before they are cut to a table's size.
#pragma once

#include <cstdint>
#include <string_view>

namespace ravel {

[[nodiscard]] constexpr std::uint64_t mix64(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebull;
  x ^= x >> 31;
  return x;
}

// Order matters: combine(combine(h, a), b) differs from combine(combine(h, b), a).
[[nodiscard]] constexpr std::uint64_t hash_combine(std::uint64_t h, std::uint64_t value) {
  return mix64(h * 0x9e3779b97f4a7c15ull + value + 0x632be59bd9b4e019ull);
}

[[nodiscard]] constexpr std::uint64_t hash_bytes(std::uint64_t h, std::string_view text) {
  std::uint64_t word = 0;
  unsigned filled = 0;
  for (const char c : text) {
    word = (word << 8) | static_cast<unsigned char>(c);
    if (++filled == 8) {
      h = hash_combine(h, word);
      word = 0;
      filled = 0;
    }
  }
  return hash_combine(hash_combine(h, word), text.size());
}

}  // namespace ravel
