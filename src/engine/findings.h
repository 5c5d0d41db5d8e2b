// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Findings of a campaign: which failures are the same defect, and the table of seeds the driver confirms. Findings of
// the execution in hand are staged behind the committed ones; the campaign's commit makes them count.
//
// Keys: a race is its unordered pair of locations; a deadlock or an endless run is the set of (operation, location) of
// the threads that wait; a use of freed memory is the places of allocation, free and use; anything else is kind,
// location and message.
#pragma once

#include <cstdint>

#include "base/arena.h"
#include "model/execution.h"
#include "wire/findings.h"

namespace ravel {

struct SharedBlock;

[[nodiscard]] std::uint64_t outcome_key(const ExecutionResult& result);
[[nodiscard]] std::uint64_t race_key(const RaceRecord& race);

// Zeroed memory is the empty state.
class Findings {
 public:
  // Starts staging for execution `number`, with `committed` findings certain. `racy_offset` is the point set in force.
  void begin(std::uint64_t number, std::uint32_t committed, std::uint64_t racy_offset);
  void add(SharedBlock& block, Arena& memory, std::uint64_t key, OutcomeKind kind, FindingSource source,
           EventPair pair = {});

  [[nodiscard]] std::uint32_t count() const { return count_; }
  // In this execution: found, but there was no room for them.
  [[nodiscard]] std::uint32_t dropped() const { return dropped_; }

 private:
  std::uint64_t number_ = 0;
  std::uint64_t racy_offset_ = 0;
  std::uint64_t segments_offset_ = 0;  // of this execution's schedule, once copied
  std::uint32_t count_ = 0;
  std::uint32_t dropped_ = 0;
  // Execution that was counted last (high bits) and how often it was seen, in one word: a repeated execution is not
  // counted again.
  std::uint64_t seen_[kMaxFindings] = {};
};

}  // namespace ravel
