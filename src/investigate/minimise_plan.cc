// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/minimise_plan.h"

#include <algorithm>

namespace ravel {

CampaignOptions campaign_on(const ReplayOptions& plan, const MinimiseOptions& options, const std::string& strategy) {
  CampaignOptions campaign;
  campaign.program = plan.program;
  campaign.program.pass_output = false;
  campaign.strategy = strategy;
  campaign.target.race = options.race;
  campaign.target.detection = options.detection;
  if (options.detection != 0) campaign.detectors = options.detectors;
  campaign.budget.time = options.time;
  campaign.deadline = plan.deadline;
  campaign.hang_ms = plan.hang_ms;
  campaign.busy_ms = plan.busy_ms;
  campaign.expect_exit = plan.expect_exit;
  campaign.keep_going = true;
  campaign.isolation = options.isolation;
  campaign.base = plan.plan;
  campaign.schedule = plan.prefix;
  campaign.racy = plan.racy;
  return campaign;
}

Result<MinimiseResult> minimise(const ReplayOptions& failing, const MinimiseOptions& options) {
  MinimiseResult out;
  out.replay = failing;
  if (failing.prefix.empty()) {  // nothing was ever decided
    out.hit = out.fewest_preemptions = true;
    return out;
  }
  CampaignOptions campaign = campaign_on(failing, options, "minimise");
  if (options.thoroughly) campaign.target.polish = 1'000'000'000;
  auto result = supervise_campaign(campaign, options.listener);
  if (!result) return tl::make_unexpected(result.error());
  out.executions = result->executions;
  out.seconds = result->seconds;
  out.fewest_preemptions = result->promise_kept;
  out.interrupted = result->interrupted;
  out.hit = !result->found.empty();
  if (result->found.size() < 2) return out;  // the first is the given one
  const auto best = std::max_element(result->found.begin(), result->found.end(),
                                     [](const FoundSeed& a, const FoundSeed& b) { return a.execution < b.execution; });
  ReplayOptions simpler = failing;
  simpler.plan = best->plan;
  simpler.prefix = best->schedule;
  auto confirmed = run_replay(simpler);
  if (!confirmed) return tl::make_unexpected(confirmed.error());
  const std::vector<DetectionRecord>& detections = confirmed->record.detections;
  const bool again = options.detection != 0
                         ? std::any_of(detections.begin(), detections.end(),
                                       [&](const DetectionRecord& found) { return found.key == options.detection; })
                         : best->kind == OutcomeKind::kDataRace || confirmed->record.outcome == best->kind;
  if (!again) return out;
  out.replay = std::move(simpler);
  out.confirmed = std::move(*confirmed);
  return out;
}

}  // namespace ravel
