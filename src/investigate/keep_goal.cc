// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/keep_goal.h"

#include <fmt/format.h>

#include <algorithm>

#include "driver/plan_store.h"
#include "driver/replay.h"
#include "investigate/replay_of.h"
#include "report/plan_builder.h"

namespace ravel {
namespace {

// The policy watches only: the schedule decides everything.
ReplayOptions watched_replay(const CampaignRequest& options, const CampaignOptions& campaign, const FoundSeed& seed) {
  ReplayOptions replay = replay_of(campaign, seed);
  replay.plan.policy.kind = options.targets.empty() ? PolicyKind::kGuided : PolicyKind::kSliced;
  replay.plan.policy.depth = 0;
  replay.facts = campaign.facts;
  return replay;
}

Result<std::string> save(const CampaignRequest& options, PlanOrigin origin, const StandardInput& input,
                         const Finding& finding, Names& names) {
  if (input.in_memory()) {
    auto kept = save_input(options.output, input.text());
    if (!kept) return kept;
    origin.stdin_path = *kept;
  }
  return save_plan(options.output, build_plan(origin, finding, names));
}

}  // namespace

GoalReport goal_progress(const CampaignRequest& options, const CampaignResult& result) {
  GoalReport goal;
  for (const SequencePlace& one : options.targets.empty() ? options.goal : options.targets) {
    goal.places.push_back(one.text);
  }
  goal.observed = std::min<std::uint32_t>(result.goal_level, static_cast<std::uint32_t>(goal.places.size()));
  goal.states = result.goal_states;
  return goal;
}

GoalReport keep_goal(const CampaignRequest& options, const CampaignOptions& campaign, const ProgramImage& image,
                     const StandardInput& input, const CampaignResult& result, std::vector<std::string>& warnings) {
  GoalReport goal = goal_progress(options, result);
  const auto seed = std::find_if(result.found.begin(), result.found.end(),
                                 [](const FoundSeed& found) { return found.source == FindingSource::kGoal; });
  if (seed == result.found.end()) return goal;
  ReplayOptions replay = watched_replay(options, campaign, *seed);
  auto again = run_replay(replay);
  if (!again || again->record.goal_level < goal.places.size()) {
    warnings.push_back(
        "the execution that passed all places of the sequence did not do so again: " +
        (again ? fmt::format("{} of {}", again->record.goal_level, goal.places.size()) : again.error().line()));
    goal.observed = std::min<std::uint32_t>(goal.observed, static_cast<std::uint32_t>(goal.places.size()) - 1);
    return goal;
  }
  goal.reached = true;
  goal.execution = seed->execution;
  goal.outcome = outcome_name(again->record.outcome);
  replay.plan.policy = PolicySpec{};
  Symbolizer symbolizer;
  Names names(again->record, symbolizer);
  Finding finding = describe_outcome(names);
  finding.message =
      "goal " + sequence_text(options.targets.empty() ? options.goal
                                                      : options.targets);  // beside the plan of a defect it ended with
  finding.hash = canonical_hash_of(again->record, names);
  const PlanOrigin origin{image, replay, campaign.strategy, campaign.seed, {}};
  auto path = save(options, origin, input, finding, names);
  if (path) goal.plan = *path;
  if (!path) warnings.push_back(path.error().line());
  return goal;
}

}  // namespace ravel
