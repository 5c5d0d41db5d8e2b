// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// How far the executions of a guided search came along its sequence of places, and what they cost in states.
#pragma once

#include "engine/campaign_state.h"

namespace ravel {

class GoalCount {
 public:
  // `entries`: of the sequence; 0: there is none.
  GoalCount(const SharedBlock& block, std::size_t entries) : block_(block), entries_(entries) {}

  // The execution has observed the whole sequence.
  [[nodiscard]] bool reached() const {
    if (entries_ == 0 || !is_guided(block_.plan.policy.kind)) return false;
    return block_.result.guide.level >= entries_;
  }
  // `number`: of the execution.
  void count(Counters& next, std::uint64_t number) const {
    if (!is_guided(block_.plan.policy.kind)) {
      next.goal_states += fresh_decisions();
      return;
    }
    const GuideProgress& guide = block_.result.guide;
    next.goal_states += guide.states;
    if (entries_ == 0) return;
    const std::uint32_t level = guide.level < entries_ ? guide.level : static_cast<std::uint32_t>(entries_);
    if (level <= next.goal_level) return;
    next.goal_level = level;
    next.last_new = number;
  }

 private:
  // Choices behind the prefix: what a search sees for the first time. Of schedules by steps it is not known.
  [[nodiscard]] std::uint64_t fresh_decisions() const {
    if (block_.plan.prefix_kind != PrefixKind::kDecisions) return 0;
    std::uint64_t known = 0;
    for (std::uint32_t i = 0; i < block_.plan.prefix_segments; ++i) known += block_.prefix[i].count;
    return block_.result.decisions > known ? block_.result.decisions - known : 0;
  }

  const SharedBlock& block_;
  std::size_t entries_;
};

}  // namespace ravel
