// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Pairs as a file has them: each site of one list with each of another. Sites with the same partners are in one list,
// so that a file grows with the kinds of sites and not with the square of their number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "statics/facts.h"

namespace ravel {

struct PairGroup {
  PairKind kind = PairKind::kRW;
  std::vector<unsigned> first;
  std::vector<unsigned> second;
  bool must = false;
  std::string object;
};

// In the order of the first pair of each.
std::vector<PairGroup> group_pairs(const std::vector<SitePair>& pairs);
// Each pair once, in order. Nothing: more than `most`.
std::optional<std::vector<SitePair>> pairs_of_groups(const std::vector<PairGroup>& groups, std::uint64_t most);

}  // namespace ravel
