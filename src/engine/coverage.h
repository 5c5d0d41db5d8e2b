// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The coverage of a campaign: tables in its lasting memory, metrics in scratch memory. Nothing of it exists unless the
// campaign asks for metrics.
#pragma once

#include "base/arena.h"
#include "cover/cover_set.h"
#include "engine/campaign_state.h"

namespace ravel {

// The last part of the arena: strategies may use up what lasts otherwise.
inline constexpr std::size_t kCoverageBytes = std::size_t{128} << 20;
inline constexpr std::size_t kCoverageBegin = kArenaBytes - kCoverageBytes;

// nullptr: no metric is asked for.
CoverSet* open_coverage(SharedBlock& block, CampaignState& state, Arena& scratch);
// What the driver reads, from the committed counters.
inline void publish_coverage(SharedBlock& block, const Counters& counters) {
  block.coverage.counts = counters.cover;
}
// What the runtime has to record for the metrics of the campaign.
RecordAlso recorded_for(std::uint32_t metrics);

}  // namespace ravel
