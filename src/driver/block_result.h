// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What the shared block of a session says about its campaign, as a CampaignResult. The tested process may have
// scribbled there: counts, offsets and kinds are checked here. Pure over the block, so it is tested on hand-made ones.
#pragma once

#include <cstdint>
#include <vector>

#include "driver/campaign_result.h"
#include "wire/shared_block.h"

namespace ravel {

// All but findings and outcomes, which are long: whoever needs them adds them.
CampaignResult result_of(const SharedBlock& block);
std::vector<FoundSeed> findings_in(const SharedBlock& block, std::uint32_t job);
std::vector<FoundOutcome> outcomes_in(const SharedBlock& block);

}  // namespace ravel
