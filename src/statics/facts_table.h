// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Facts and their match with a program as the flat table that a worker maps (wire/facts_table.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "model/kept_pair.h"
#include "statics/facts.h"
#include "statics/guide_table.h"
#include "statics/place_match.h"
#include "statics/reach_table.h"

namespace ravel {

// Which plain accesses are scheduling points from the start.
enum class FactPoints : std::uint8_t {
  kNone,
  kWarnings,  // those of warnings, so that threads can be held back there
  kPairs,     // every member of an RW pair
};

struct FactsTable {
  std::string bytes;
  unsigned points = 0;
  unsigned tries = 0;
};

// `guide`: of a guided search; `reach`: of a search by goals; null: there is none.
FactsTable make_facts_table(const Facts& facts, const PlaceMatch& match, FactPoints points,
                            const GuideLists* guide = nullptr, const ReachLists* reach = nullptr);
// What earlier runs have shown, behind everything else.
void add_kept_pairs(FactsTable& table, std::span<const KeptPair> kept);

}  // namespace ravel
