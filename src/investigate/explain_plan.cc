// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/explain_plan.h"

#include <algorithm>

#include "report/explanation.h"

namespace ravel {

Result<void> explain(const ReplayOptions& failing, const MinimiseOptions& options, Names& names, Finding& finding) {
  // Only of executions that end with the defect: of others it is not said by how they end.
  if (finding.kind != names.record().outcome || finding.kind == OutcomeKind::kStepLimit ||
      finding.kind == OutcomeKind::kHang) {
    return {};
  }
  CampaignOptions campaign = campaign_on(failing, options, "explain");
  // Where nothing was ever decided there is still an order to reverse: a schedule with no choices in it.
  if (campaign.schedule.empty()) campaign.schedule.push_back({});
  auto result = supervise_campaign(campaign, options.listener);
  if (!result) return tl::make_unexpected(result.error());
  std::vector<FoundSeed>& found = result->found;
  std::sort(found.begin(), found.end(),
            [](const FoundSeed& a, const FoundSeed& b) { return a.execution < b.execution; });
  std::vector<DecisivePair> pairs;
  for (const FoundSeed& seed : found) pairs.push_back({seed.pair.first, seed.pair.second});
  finding.decisive.clear();
  finding.explanation.clear();
  explain_order(names, pairs, finding);
  return {};
}

}  // namespace ravel
