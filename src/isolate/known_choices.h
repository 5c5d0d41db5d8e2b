// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Executions whose memory has been compared in this process, by the key of their choices. Lies in memory that is not
// put back and that a fork does not copy. What does not fit is not known: that costs a comparison, nothing else.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/growing_set.h"

namespace ravel {

class KnownChoices {
 public:
  // After the snapshot was taken.
  void prepare();
  [[nodiscard]] bool contains(std::uint64_t key) const { return room_ && keys_.contains(key, capacity_); }
  void add(std::uint64_t key);

 private:
  static constexpr std::uint32_t kMaxEntries = 1u << 18;
  GrowingSet keys_;
  bool room_ = false;
  std::uint32_t entries_ = 0;
  std::uint32_t capacity_ = GrowingSet::kFirstCapacity;
};

}  // namespace ravel
