// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Random numbers that are the same on every machine. Everything that is sampled is derived from (seed, index) by
// derive_seed, so that any execution can be repeated without running those before it.
// SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
// xoshiro256**: Blackman, Vigna, "Scrambled linear pseudorandom number generators", TOMS 2021.
// Bounded numbers by multiplication and rejection: Lemire, "Fast random integer generation in an interval", TOMACS
// 2019.
#pragma once

#include <cstdint>

#include "base/hash.h"

namespace ravel {

class SplitMix64 {
 public:
  constexpr explicit SplitMix64(std::uint64_t seed) : state_(seed) {}
  [[nodiscard]] constexpr std::uint64_t next() { return mix64(state_ += 0x9e3779b97f4a7c15ull); }

 private:
  std::uint64_t state_;
};

[[nodiscard]] constexpr std::uint64_t derive_seed(std::uint64_t seed, std::uint64_t index) {
  return mix64(mix64(seed + 0x9e3779b97f4a7c15ull) ^ mix64(index * 0xd1342543de82ef95ull + 0x2545f4914f6cdd1dull));
}

class Random {
 public:
  constexpr explicit Random(std::uint64_t seed) {
    SplitMix64 fill(seed);
    for (std::uint64_t& word : state_) word = fill.next();
  }

  [[nodiscard]] constexpr std::uint64_t next() {
    const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  // Uniform in [0, bound); bound 0 gives 0.
  [[nodiscard]] constexpr std::uint64_t below(std::uint64_t bound) {
    if (bound == 0) return 0;
    Wide product = static_cast<Wide>(next()) * bound;
    if (static_cast<std::uint64_t>(product) < bound) {
      const std::uint64_t threshold = (0 - bound) % bound;
      while (static_cast<std::uint64_t>(product) < threshold) product = static_cast<Wide>(next()) * bound;
    }
    return static_cast<std::uint64_t>(product >> 64);
  }

 private:
  __extension__ using Wide = unsigned __int128;
  static constexpr std::uint64_t rotate(std::uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  std::uint64_t state_[4] = {};
};

}  // namespace ravel
