// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Coverage of a campaign: what the engine must know before it starts, and what is made of what it counted.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/campaign_options.h"
#include "driver/campaign_result.h"
#include "driver/program_image.h"
#include "driver/replay.h"
#include "explore/strategy_table.h"
#include "investigate/campaign_request.h"
#include "model/text/result.h"
#include "report/coverage.h"

namespace ravel {

// --until-saturated alone measures the default metrics. Says what cannot be combined.
Result<void> check_coverage(CampaignRequest& options, const StrategyRow& strategy);
// As files say it.
std::string identity_text(const CoverageRequest& request);
// The functions of --coverage-jobs in the program.
Result<void> find_jobs(CoverageRequest& coverage, const std::vector<std::string>& patterns, const std::string& program);
// Nothing is done unless metrics are asked for.
void prepare_coverage(CampaignOptions& campaign, const ProgramImage& image);
// nullptr: nothing was measured.
std::shared_ptr<TaskCoverage> coverage_of_campaign(const CampaignRequest& options, const ProgramImage& image,
                                                   const StrategyRow& strategy, const CampaignResult& result);
// The plan is run once more, with the metrics on: what they need recorded must not change what a replay is compared
// with.
Result<TaskCoverage> coverage_of_replay(ReplayOptions replay, const CoverageRequest& request,
                                        const ProgramImage& image);
// Writes the file and yields its path. Files that `ravel coverage' reads: docs/coverage-format.md.
Result<std::string> save_coverage(const CampaignRequest& options, const TaskCoverage& coverage);
// `file` empty: in `folder`, which is made, under `name`.
Result<std::string> save_coverage(const TaskCoverage& coverage, const std::string& file, const std::string& folder,
                                  const std::string& name);

}  // namespace ravel
