// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What became of the sequence of a guided search: a plan of an execution that passed all its places in order, seen
// again in a fresh process, or how far the best one came.
#pragma once

#include "driver/program_image.h"
#include "driver/supervise.h"
#include "investigate/campaign_request.h"
#include "investigate/standard_input.h"
#include "report/report.h"

namespace ravel {

// How far the executions came, nothing run again.
GoalReport goal_progress(const CampaignRequest& options, const CampaignResult& result);
// A plan that cannot be saved, or an execution that did not happen again, is a line in `warnings`.
GoalReport keep_goal(const CampaignRequest& options, const CampaignOptions& campaign, const ProgramImage& image,
                     const StandardInput& input, const CampaignResult& result, std::vector<std::string>& warnings);

}  // namespace ravel
