// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Whether the accesses of an execution overlap fully or not at all. Who tells accesses apart by where they begin asks.
#pragma once

#include <cstdint>

#include "base/hash.h"

namespace ravel {

class AccessShapes {
 public:
  void begin() {
    if (++generation_ != 0) return;
    for (Word& word : words_) word.generation = 0;  // once in four billion executions
    generation_ = 1;
  }

  // False: it overlaps an access that begins elsewhere, or there is no room left to tell.
  bool fits(std::uint64_t address, std::uint32_t size) {
    const std::uint64_t end = address + (size == 0 ? 1 : size);
    bool fits = true;
    for (std::uint64_t at = address & ~std::uint64_t{7}; at < end; at += 8) {
      const std::uint64_t from = address > at ? address - at : 0;
      const std::uint64_t to = end - at < 8 ? end - at : 8;
      const auto bytes = static_cast<std::uint8_t>((0xffu >> (8 - (to - from))) << from);
      fits = takes(at, at < address ? from : at == address ? 0 : kContinued, bytes) && fits;
    }
    return fits;
  }

 private:
  static constexpr std::uint32_t kWords = 1u << 12;
  static constexpr std::uint64_t kContinued = 8;  // it begins in an earlier word
  struct Word {
    std::uint64_t address;
    std::uint32_t generation;
    std::uint8_t bytes[9];  // of accesses that begin at the n-th byte
  };

  bool takes(std::uint64_t address, std::uint64_t start, std::uint8_t bytes) {
    const auto first = static_cast<std::uint32_t>(mix64(address) % kWords);
    for (std::uint32_t i = 0; i < 8; ++i) {
      Word& word = words_[(first + i) % kWords];
      if (word.generation != generation_) word = {address, generation_, {}};
      if (word.address != address) continue;
      bool fits = true;
      for (std::uint64_t other = 0; other < 9; ++other)
        fits = fits && (other == start || (word.bytes[other] & bytes) == 0);
      word.bytes[start] |= bytes;
      return fits;
    }
    return false;
  }

  Word words_[kWords] = {};
  std::uint32_t generation_ = 0;
};

}  // namespace ravel
