// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The combinations of observed values (ravel::observe) that executions ended with: SharedBlock::outcomes, each with the
// schedule of the first execution that had it. As with findings, those of the execution in hand are staged behind the
// committed ones. Zeroed memory is the empty state.
#pragma once

#include <cstdint>

#include "base/arena.h"
#include "wire/findings.h"

namespace ravel {

struct SharedBlock;

class Outcomes {
 public:
  // Counts the execution in the block, number `number`, with `committed` records certain. `sequence`: its print, if
  // the campaign lists sequences; 0: it has none.
  void add(SharedBlock& block, Arena& memory, std::uint64_t number, std::uint32_t committed, std::uint64_t racy_offset,
           std::uint64_t sequence);

  [[nodiscard]] std::uint32_t count() const { return count_; }
  // There was no room for this one.
  [[nodiscard]] bool dropped() const { return dropped_; }

 private:
  static constexpr std::uint32_t kSlots = 2 * kMaxOutcomes;

  bool fill(OutcomeRecord& record, SharedBlock& block, Arena& memory) const;

  std::uint32_t count_ = 0;
  bool dropped_ = false;
  std::uint32_t slots_[kSlots] = {};  // place in the table + 1; stale after a step that was lost
};

}  // namespace ravel
