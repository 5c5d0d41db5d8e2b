// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// When a campaign ends before its budget does: what it looks for is found, or nothing more can come.
#pragma once

#include "engine/campaign_state.h"
#include "explore/strategy.h"
#include "model/outcome_listing.h"

namespace ravel {

inline constexpr std::uint64_t kAlikeExecutions = 16;  // so many without a choice are enough to call a program vacuous

// Nothing new for long, or nothing that could be: every execution is cut. `number`: of the execution.
inline void look_for_the_end(Counters& next, const Campaign& campaign, std::uint64_t number) {
  constexpr std::uint64_t kCutInARow = 16;  // from the first one on
  const std::uint64_t patience = campaign.patience;
  if (patience == 0 || next.ended != 0) return;
  const std::uint64_t since = number - next.last_new;
  const bool enough = since >= patience && since >= 2 * next.last_new;
  if (enough && next.traces.entered < CampaignState::kMaxDistinct) next.early_end = EarlyEnd::kNothingNew;
  if (next.executions >= kCutInARow && next.cut == next.executions) next.early_end = EarlyEnd::kAllCut;
}

// The first execution that fits the campaign's sequence, and ends as it should.
[[nodiscard]] inline bool is_what_was_asked(const SharedBlock& block, Share share) {
  const ExecutionResult& result = block.result;
  return share == Share::kCounts && result.sequence_fits != 0 && ends_listing(block.campaign.outcomes, result.outcome);
}

// Nothing was ever to be decided, and all executions were the same: so will the others be.
[[nodiscard]] inline bool is_vacuous(const Counters& next, const CampaignState& state, const Campaign& campaign) {
  return next.executions >= kAlikeExecutions && next.choices == 0 && next.traces.distinct == 1 && next.findings == 0 &&
         !state.fixed_points && campaign.base.faults == 0 && campaign.verify == 0 && campaign.training == 0;
}

}  // namespace ravel
