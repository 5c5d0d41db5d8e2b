// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What detectors that learn have seen in passing executions: keys of detections, in memory that lasts as long as the
// campaign. Zeroed memory is the empty set; an insertion is one store, so a worker that is killed loses nothing.
#pragma once

#include <cstdint>

#include "base/hash.h"

namespace ravel {

class Training {
 public:
  static constexpr std::uint32_t kSlots = 1u << 16;

  [[nodiscard]] bool contains(std::uint64_t key) const { return slots_[slot_of(key)] == key; }
  // Full: the rest is not learnt, and will be reported.
  void add(std::uint64_t key) {
    std::uint64_t& slot = slots_[slot_of(key)];
    if (slot == key || count_ >= kSlots / 2) return;
    slot = key;
    ++count_;
  }

 private:
  [[nodiscard]] std::uint32_t slot_of(std::uint64_t key) const {
    auto i = static_cast<std::uint32_t>(mix64(key)) & (kSlots - 1);
    while (slots_[i] != 0 && slots_[i] != key) i = (i + 1) & (kSlots - 1);
    return i;
  }
  std::uint64_t slots_[kSlots];
  std::uint32_t count_;
};

}  // namespace ravel
