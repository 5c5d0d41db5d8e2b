// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Directed tries from static facts: each holds threads back at the places of one warning (policy `park'), so that they
// gather there. The queue is the facts' own list, split among processes; who works on it keeps only how many were made.
#pragma once

#include <cstdint>
#include <span>

#include "model/static_facts.h"

namespace ravel {

class StaticTries {
 public:
  StaticTries(std::span<const FactTry> tries, std::uint32_t shard, std::uint32_t shards)
      : tries_(tries), shard_(shard), shards_(shards) {}

  // `made` tries of this process are behind it.
  [[nodiscard]] bool has(std::uint32_t made) const { return index(made) < tries_.size(); }
  // Only if there is one; the policy's seed is the caller's.
  void fill(PolicySpec& policy, std::uint32_t made) const {
    policy.kind = PolicyKind::kPark;
    const FactTry& next = tries_[static_cast<std::size_t>(index(made))];
    for (unsigned i = 0; i < kMaxParkPlaces; ++i) policy.park_at[i] = next.at[i];
  }

 private:
  [[nodiscard]] std::uint64_t index(std::uint32_t made) const { return std::uint64_t{made} * shards_ + shard_; }

  std::span<const FactTry> tries_;
  std::uint32_t shard_;
  std::uint32_t shards_;
};

}  // namespace ravel
