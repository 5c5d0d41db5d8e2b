// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Turns the seeds of a campaign into findings: each is replayed in a fresh process first. What does not happen again is
// listed apart and never printed as a defect. A finding that was confirmed is never lost: a plan that cannot be saved,
// or a minimiser that fails, is a warning beside it. Nothing goes on after campaign.deadline.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "driver/program_image.h"
#include "driver/replay.h"
#include "driver/supervise.h"
#include "investigate/campaign_request.h"
#include "investigate/standard_input.h"
#include "report/finding.h"
#include "report/suppressions.h"

namespace ravel {

// How far the work on findings has come, for whoever waits for it.
struct WorkProgress {
  std::string_view what;  // "confirming", "minimising", "explaining"
  std::uint64_t done = 0;
  std::uint64_t of = 0;  // 0: not known
};
using WorkListener = std::function<void(const WorkProgress&)>;

struct Confirmed {
  std::vector<Finding> findings;   // failures first, then races, then what detectors named, on their own
  std::vector<Finding> potential;  // predicted, asked for, and not confirmed by an execution
  std::string undecided;           // what an execution was blocked in, so that it says nothing; empty: none was
  std::vector<Finding> doubtful;   // happened, but may be due to synchronisation that Ravel does not see
  std::vector<std::string> not_confirmed;
  std::size_t cut_short = 0;          // of these: the repeating process was killed, so nothing is known of determinism
  std::vector<std::string> warnings;  // what could not be done for a finding: save its plan, minimise or explain it
  std::vector<std::string> notes;     // what was left out, and why
};

Confirmed confirm_findings(const CampaignRequest& options, const CampaignOptions& campaign, const ProgramImage& image,
                           const StandardInput& input, const CampaignResult& result, Suppressions& suppressions,
                           const WorkListener& listener = {});
// With nothing left out.
inline Confirmed confirm_findings(const CampaignRequest& options, const CampaignOptions& campaign,
                                  const ProgramImage& image, const StandardInput& input, const CampaignResult& result) {
  Suppressions none;
  return confirm_findings(options, campaign, image, input, result, none);
}

}  // namespace ravel
