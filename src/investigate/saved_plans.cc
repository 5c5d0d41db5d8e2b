// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/saved_plans.h"

#include <fmt/format.h>

#include <chrono>

#include "driver/plan_store.h"
#include "driver/replay.h"
#include "investigate/plan_source.h"

namespace ravel {
namespace {

constexpr std::size_t kMostPlans = 16;  // each costs a process

bool ends_executions(OutcomeKind kind) {
  return is_defect(kind) && kind != OutcomeKind::kDataRace &&
         (kind < OutcomeKind::kAtomicityViolation || kind == OutcomeKind::kHang);
}

// The other modes are fair, and which of them a plan has is the strategy's choice.
bool is_adversarial(TimeoutMode mode) {
  return mode == TimeoutMode::kAdversarial;
}

// Whether this campaign could have made the plan.
bool belongs_to(const PlanFile& plan, const CampaignRequest& options, const CampaignOptions& campaign) {
  const std::vector<std::string>& words = campaign.program.argv;
  return plan.program == campaign.program.path &&
         std::equal(words.begin() + 1, words.end(), plan.arguments.begin(), plan.arguments.end()) &&
         ends_executions(plan.outcome) && (plan.spec.faults & ~options.base.faults) == 0 &&
         is_adversarial(plan.spec.timeouts) == is_adversarial(options.base.timeouts) &&
         plan.spec.volatiles == options.base.volatiles && plan.spec.waiters == options.base.waiters &&
         plan.expect_exit == options.expect_exit && plan.scratch == options.scratch;
}

FoundSeed seed_of(const ReplayOptions& replay, const ExecutionRecord& record) {
  FoundSeed seed;
  seed.kind = record.outcome;
  seed.times_seen = 1;
  seed.from_saved_plan = true;
  seed.plan = replay.plan;
  seed.plan.on_divergence = OnDivergence::kStop;
  seed.schedule = record.schedule;
  seed.racy = replay.racy;
  return seed;
}

// Where the plan does not fit, the execution goes on without preemption.
SavedPlan try_plan(PlanSource source, const CampaignOptions& campaign, const std::vector<std::string>& program,
                   std::vector<FoundSeed>& found) {
  SavedPlan out{source.name, SavedPlanState::kDoesNotFit, ""};
  auto plan = prepare_plan(std::move(source), program, RacyPlaces::kAsFarAsFound);
  if (!plan) {
    out.reason = plan.error().line();
    return out;
  }
  ReplayOptions& replay = plan->replay;
  replay.program = campaign.program;
  replay.program.pass_output = false;
  replay.hang_ms = campaign.hang_ms;
  replay.busy_ms = campaign.busy_ms;
  replay.deadline = campaign.deadline;
  replay.detectors = campaign.detectors;
  replay.plan.on_divergence = OnDivergence::kContinue;
  const PolicySpec policy = replay.plan.policy;
  replay.plan.policy = PolicySpec{};
  auto result = run_replay(replay);
  if (!result) {
    out.reason = result.error().line();
    return out;
  }
  const ExecutionRecord& record = result->record;
  if (is_defect(record.outcome)) {
    out.state = SavedPlanState::kFails;
    if (record.diverged_at == 0) replay.plan.policy = policy;  // the plan as it was
    found.push_back(seed_of(replay, record));
  } else if (record.diverged_at != 0) {
    out.reason =
        fmt::format("its decision {} no longer exists, and the program ended without a defect", record.diverged_at);
  } else if (record.prefix_left != 0) {
    out.reason = fmt::format("the program ended without a defect before the last {} decisions", record.prefix_left);
  } else {
    out.state = SavedPlanState::kClean;
  }
  return out;
}

}  // namespace

SavedPlans try_saved_plans(const CampaignRequest& options, const CampaignOptions& campaign,
                           const std::vector<std::string>& program) {
  const auto start = std::chrono::steady_clock::now();
  SavedPlans out;
  for (auto& [path, plan] : load_plans_of(options.output, campaign.program.path)) {
    if (!belongs_to(plan, options, campaign)) continue;
    if (out.tried.size() == kMostPlans) break;
    out.tried.push_back(try_plan({path, std::move(plan), {}}, campaign, program, out.found));
    if (!out.found.empty() && !options.keep_going) break;
  }
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return out;
}

CampaignResult campaign_of(const SavedPlans& saved) {
  CampaignResult out;
  out.executions = saved.tried.size();
  out.seconds = saved.seconds;
  out.isolation = Isolation::kFork;
  out.found = saved.found;
  out.from_saved_plans = true;
  return out;
}

}  // namespace ravel
