// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A campaign's memory and strategy: made by the first worker, found again by those that follow.
// Layout of the arena: CampaignState | lasting memory | scratch memory for Analysis | coverage, if it is measured.
// Pages that are never touched cost nothing.
#pragma once

#include "engine/campaign_state.h"
#include "engine/coverage.h"

namespace ravel {

inline constexpr std::size_t kLastingBegin = (sizeof(CampaignState) + 4095) & ~std::size_t{4095};
inline constexpr std::size_t kScratchBegin = std::size_t{384} << 20;
static_assert(kLastingBegin < kScratchBegin && kScratchBegin < kCoverageBegin);

// nullptr: refused, with the reason in the block.
CampaignState* open_campaign(SharedBlock& block);

}  // namespace ravel
