// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The 8-byte cells on which an execution has a race. The race detector keeps one access per thread and class, so it
// names one location of many: `if (p) x = *p` reads p twice, and only the first read is in its report. Every other
// location that touches such a cell is found by a second pass over the events (SharedLocations with these cells).
#pragma once

#include <cstdint>
#include <memory_resource>

#include "base/place_map.h"
#include "model/event.h"

namespace ravel {

class RacyCells {
 public:
  explicit RacyCells(std::pmr::memory_resource& memory, std::uint32_t most = 1u << 16)
      : index_(memory, 1u << 6, 2 * most) {}

  void begin() {
    if (empty()) return;
    index_.clear();
    for (std::uint64_t& word : filter_) word = 0;
    full_ = false;
  }
  void add(ObjectId object, std::uint32_t offset) {
    const std::uint64_t key = key_of(object, offset);
    std::uint32_t* known = index_.claim(key);
    if (known == nullptr) {
      full_ = true;
      return;
    }
    *known = 1;
    filter_[bit_of(key) / 64] |= std::uint64_t{1} << (bit_of(key) % 64);
  }
  // `offset`: of the cell.
  [[nodiscard]] bool has(ObjectId object, std::uint32_t offset) const {
    const std::uint64_t key = key_of(object, offset);
    return (filter_[bit_of(key) / 64] >> (bit_of(key) % 64) & 1) != 0 && index_.find(key) != 0;
  }
  [[nodiscard]] bool empty() const { return index_.size() == 0; }
  [[nodiscard]] bool full() const { return full_; }

 private:
  static constexpr std::uint32_t kBits = 256;
  static std::uint64_t key_of(ObjectId object, std::uint32_t offset) { return std::uint64_t{object} << 32 | offset; }
  static std::uint32_t bit_of(std::uint64_t key) {
    return static_cast<std::uint32_t>(key * 0x9e3779b97f4a7c15ull >> 56);  // kBits
  }

  PlaceMap index_;
  std::uint64_t filter_[kBits / 64] = {};  // most accesses are to none of them
  bool full_ = false;
};

}  // namespace ravel
