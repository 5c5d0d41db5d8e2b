// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The outcomes of a campaign as a list with a plan for each: every one is run again in a fresh process, which also
// gives its plan lasting names. Without plans nothing is run again.
#pragma once

#include <cstdint>
#include <string>

#include "driver/campaign_options.h"
#include "driver/campaign_result.h"
#include "driver/program_image.h"
#include "investigate/campaign_request.h"
#include "investigate/standard_input.h"
#include "report/outcome_list.h"

namespace ravel {

// kNone: rows alone, as the campaign saw them.
enum class OutcomePlans : std::uint8_t { kSaved, kNone };

// Fills rows, what was not confirmed, exit code and reason. Gives why plans are missing; empty: none is.
Result<std::string> keep_outcomes(const CampaignRequest& request, const CampaignOptions& campaign,
                                  const ProgramImage& image, const StandardInput& input, const CampaignResult& result,
                                  OutcomePlans plans, OutcomesReport& report);

}  // namespace ravel
