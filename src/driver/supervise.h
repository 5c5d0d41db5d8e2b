// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// One campaign as the driver sees it: start a session per job, watch them, stop them in time, merge what they report.
// The exploring itself happens in the workers. Findings come back as seeds: nothing is believed before it was replayed
// in a fresh process (replay.h).
#pragma once

#include <functional>

#include "driver/campaign_options.h"
#include "driver/campaign_result.h"
#include "model/text/result.h"

namespace ravel {

// Called every few hundred milliseconds with the sums so far.
using ProgressListener = std::function<void(const CampaignResult& so_far)>;

Result<CampaignResult> supervise_campaign(const CampaignOptions& options, const ProgressListener& listener);

}  // namespace ravel
