// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// From the options of `run` (and of `outcomes`, which takes the same) to a campaign: what does not go together is
// refused here, what cannot be had is left out with a note.
#pragma once

#include <string>
#include <vector>

#include "driver/program_image.h"
#include "driver/supervise.h"
#include "explore/strategy_table.h"
#include "investigate/campaign_request.h"
#include "investigate/standard_input.h"

namespace ravel {

struct CampaignSetup {
  const StrategyRow* strategy = nullptr;
  std::vector<std::string> notes;
};

// Settles strategy and jobs in `options`.
Result<CampaignSetup> check_options(CampaignRequest& options);

// The campaign may take its time; what is done for findings afterwards a fifth more, or the time to minimise them.
Deadline deadline_for(const CampaignRequest& options, std::chrono::milliseconds time, Clock::time_point start);

// The time counts from here.
CampaignOptions campaign_options(const CampaignRequest& options, const std::vector<std::string>& program,
                                 const ProgramImage& image, const StandardInput& input);

}  // namespace ravel
