// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// From the options of `run` (and of `outcomes`, which takes the same) to a campaign: what does not go together is
// refused here, what cannot be had is left out with a note.
#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/run_options.h"
#include "cli/standard_input.h"
#include "driver/campaign.h"
#include "driver/program_image.h"
#include "explore/strategy_table.h"

namespace ravel {

struct CampaignSetup {
  const StrategyRow* strategy = nullptr;
  std::vector<std::string> notes;
};

// Settles strategy and jobs in `options`.
Result<CampaignSetup> check_options(RunOptions& options);

CampaignOptions campaign_options(const RunOptions& options, const Arguments& program, const ProgramImage& image,
                                 const StandardInput& input);

}  // namespace ravel
