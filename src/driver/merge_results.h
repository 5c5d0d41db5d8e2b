// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Results of the parts of a campaign as one: of its jobs, and of its calls of explore().
#pragma once

#include <cstdint>
#include <vector>

#include "driver/campaign_result.h"

namespace ravel {

// `parts` is not empty. Jobs of one tree have seen different traces; others may have seen the same.
CampaignResult merge_jobs(const std::vector<CampaignResult>& parts, bool one_tree);
// The first of each key, with how often all were seen.
std::vector<FoundSeed> one_per_key(std::vector<FoundSeed> found);
std::vector<FoundOutcome> one_per_combination(std::vector<FoundOutcome> outcomes);

// Calls are numbered from 1; `sum` holds those before.
void add_call(CampaignResult& sum, CampaignResult one, std::uint32_t call);

}  // namespace ravel
