// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What failed before is tried first: the plans that earlier campaigns of the same program, arguments and faults have
// saved. A plan that fails again is a finding before anything was explored; one that does not is said to be clean, or
// not to fit the program any more.
#pragma once

#include <string>
#include <vector>

#include "driver/supervise.h"
#include "investigate/campaign_request.h"
#include "report/report.h"

namespace ravel {

struct SavedPlans {
  std::vector<SavedPlan> tried;
  std::vector<FoundSeed> found;  // of those that fail
  double seconds = 0;
};

// Plans about data races and what detectors name are left to the campaign: such things do not end one.
SavedPlans try_saved_plans(const CampaignRequest& options, const CampaignOptions& campaign,
                           const std::vector<std::string>& program);

// The result of a campaign that was not needed.
CampaignResult campaign_of(const SavedPlans& saved);

}  // namespace ravel
