// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Executions of a campaign's program in processes of their own: everything that a replay takes over from the campaign,
// its deadline included. Nothing that repeats an execution goes on after it.
#pragma once

#include "driver/campaign_options.h"
#include "driver/campaign_result.h"
#include "driver/replay.h"

namespace ravel {

// The caller sets the policy or the prefix.
ReplayOptions replay_of(const CampaignOptions& campaign);

// An execution of the campaign, once more.
ReplayOptions replay_of(const CampaignOptions& campaign, const FoundSeed& found);
ReplayOptions replay_of(const CampaignOptions& campaign, const FoundOutcome& found);

}  // namespace ravel
