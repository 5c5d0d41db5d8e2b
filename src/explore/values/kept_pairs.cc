// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/values/kept_pairs.h"

namespace ravel::values {

KeptPairs::KeptPairs(std::pmr::memory_resource& memory, std::span<const KeptPair> rows)
    : count_(static_cast<std::uint32_t>(rows.size() < kMostKeptPairs ? rows.size() : kMostKeptPairs)) {
  if (count_ == 0) return;
  rows_ = static_cast<KeptPair*>(memory.allocate(sizeof(KeptPair) * count_, alignof(KeptPair)));
  for (std::uint32_t i = 0; i < count_; ++i) rows_[i] = rows[i];
}

bool KeptPairs::is_ruled_out(const KeptAccess& trigger, const KeptAccess& target) const {
  for (const KeptPair& row : rows()) {
    if (row.verdict == PairVerdict::kSeen) continue;
    const bool second = row.second.key() == target.key();
    if (row.verdict == PairVerdict::kNotReached && second) return true;
    if (row.verdict != PairVerdict::kRefuted) continue;
    if (second && row.first.key() == trigger.key()) return true;
    if (row.first.key() == target.key() && row.second.key() == trigger.key()) return true;
  }
  return false;
}

}  // namespace ravel::values
