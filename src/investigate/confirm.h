// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Turns the seeds of a campaign into findings: each is replayed in a fresh process first. What does not happen again is
// listed apart and never printed as a defect. A finding that was confirmed is never lost: a plan that cannot be saved,
// or a minimiser that fails, is a warning beside it.
#pragma once

#include <string>
#include <vector>

#include "driver/program_image.h"
#include "driver/supervise.h"
#include "investigate/campaign_request.h"
#include "investigate/standard_input.h"
#include "report/finding.h"
#include "report/suppressions.h"

namespace ravel {

struct Confirmed {
  std::vector<Finding> findings;   // failures first, then races, then what detectors named, on their own
  std::vector<Finding> potential;  // predicted, asked for, and not confirmed by an execution
  std::vector<std::string> not_confirmed;
  std::size_t cut_short = 0;          // of these: the repeating process was killed, so nothing is known of determinism
  std::vector<std::string> warnings;  // what could not be done for a finding: save its plan, minimise or explain it
  std::vector<std::string> notes;     // what was left out, and why
};

Confirmed confirm_findings(const CampaignRequest& options, const CampaignOptions& campaign, const ProgramImage& image,
                           const StandardInput& input, const CampaignResult& result, Suppressions& suppressions);
// With nothing left out.
inline Confirmed confirm_findings(const CampaignRequest& options, const CampaignOptions& campaign,
                                  const ProgramImage& image, const StandardInput& input, const CampaignResult& result) {
  Suppressions none;
  return confirm_findings(options, campaign, image, input, result, none);
}

}  // namespace ravel
