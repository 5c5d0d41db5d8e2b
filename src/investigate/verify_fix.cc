// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "investigate/verify_fix.h"

#include <fmt/format.h>

#include <algorithm>

#include "detect/detector_table.h"
#include "driver/supervise.h"
#include "investigate/campaign_setup.h"
#include "investigate/confirm.h"
#include "investigate/minimise_plan.h"
#include "investigate/verdict.h"
#include "report/console.h"

namespace ravel {
namespace {

constexpr std::uint32_t kUsualPreemptions = 2;  // of plans that do not say: few defects need more

// After an edit lines have moved: the words, or the place within its function, are what is left.
bool is_the_plans(const Finding& finding, const PlanFile& plan) {
  if (finding.kind != plan.outcome) return false;
  if (finding.kind == OutcomeKind::kDeadlock || finding.kind == OutcomeKind::kStepLimit ||
      finding.kind == OutcomeKind::kHang) {
    return true;
  }
  if (finding.message == plan.message || finding.place == plan.outcome_place) return true;
  return finding.kind == OutcomeKind::kDataRace && finding.place.function == plan.outcome_place.function;
}

CampaignOptions campaign_for(const PreparedPlan& plan, const std::string& strategy, std::chrono::milliseconds time) {
  CampaignOptions campaign;
  campaign.program = plan.replay.program;
  campaign.strategy = strategy;
  campaign.budget.time = time;
  campaign.expect_exit = plan.replay.expect_exit;
  campaign.hang_ms = plan.replay.hang_ms;
  campaign.busy_ms = plan.replay.busy_ms;
  campaign.deadline = plan.replay.deadline;
  campaign.base = plan.replay.plan;
  campaign.base.policy = PolicySpec{};
  campaign.base.data_seed = 0;
  campaign.base.points_version = 0;
  return campaign;
}

// The failing schedule on the changed program, going on without preemption where it does not fit.
Result<CampaignResult> try_schedule(const PreparedPlan& plan) {
  ReplayOptions replay = plan.replay;
  replay.plan.on_divergence = OnDivergence::kContinue;
  replay.plan.policy = PolicySpec{};
  auto result = run_replay(replay);
  if (!result) return tl::make_unexpected(result.error());
  CampaignResult out;
  const ExecutionRecord& record = result->record;
  if (!is_defect(record.outcome)) return out;
  FoundSeed seed;
  seed.kind = record.outcome;
  seed.times_seen = 1;
  seed.plan = replay.plan;
  seed.plan.on_divergence = OnDivergence::kStop;
  seed.schedule = record.schedule;
  seed.racy = replay.racy;
  out.found.push_back(std::move(seed));
  return out;
}

void settle(VerifyFixReport& report, bool still_there, const Verdict& verdict) {
  const std::string within = grouped(report.preemptions, "preemption");
  const std::string schedules = grouped(report.executions, "schedule");
  report.exit_code = verdict.exit_code;
  if (still_there) {
    report.exit_code = kExitDefect;
    report.state = FixState::kReachable;
    report.reason = fmt::format("still reachable with {}: {}", grouped(report.findings[0].preemptions, "preemption"),
                                report.found_by == FoundBy::kPlan   ? "the plan's own schedule shows it"
                                : report.found_by == FoundBy::kNear ? "near the plan's schedule, " + schedules
                                                                    : schedules);
  } else if (!report.findings.empty()) {
    report.exit_code = kExitDefect;
    report.state = FixState::kAnotherDefect;
    report.reason = "the defect of the plan was not seen, but another one was";
  } else if (verdict.exit_code == kExitClean) {
    report.state = FixState::kNotReachable;
    report.reason = fmt::format("not reachable within {}: {}, complete", within, schedules);
  } else if (verdict.exit_code == kExitInconclusive) {
    report.state = FixState::kInconclusive;
    report.reason = fmt::format("not seen within {} in {}, but the time ended before all were run: raise --time",
                                within, schedules);
  } else {
    report.state = FixState::kCouldNotTest;
    report.reason = verdict.reason;
  }
}

class Verifier {
 public:
  Verifier(const PreparedPlan& plan, StandardInput input, std::uint32_t preemptions, std::chrono::milliseconds time)
      : plan_(plan), file_(*plan.source.plan), input_(std::move(input)), time_(time) {
    VerifyFixReport& report = out_.report;
    report.program = plan.image.path;
    report.plan = plan.source.name;
    report.preemptions = preemptions;
    request_.expect_exit = file_.expect_exit;
    campaign_ = campaign_for(plan, fmt::format("bounded,preemptions={}", preemptions), time);
    campaign_.detectors = default_detectors() | detectors_of(file_.outcome);
  }

  Result<void> run() {
    for (const auto step : {&Verifier::try_the_plan, &Verifier::search_near, &Verifier::search_everything}) {
      if (there_) break;
      if (auto done = (this->*step)(); !done) return done;
    }
    if (!there_) out_.report.findings = std::move(others_);
    settle(out_.report, there_, verdict_);
    return {};
  }
  VerifiedFix take() { return std::move(out_); }

 private:
  Result<void> try_the_plan() {
    auto result = try_schedule(plan_);
    if (!result) return tl::make_unexpected(result.error());
    check(*result, FoundBy::kPlan);
    return {};
  }

  Result<void> search_near() {
    if (plan_.replay.prefix.empty()) return {};
    MinimiseOptions near;
    near.time = std::max(std::min(time_ / 4, left()), std::chrono::milliseconds(1));
    CampaignOptions nearby = campaign_on(plan_.replay, near, "nearby");
    nearby.detectors = campaign_.detectors;
    auto result = supervise_campaign(nearby, {});
    if (!result) return tl::make_unexpected(result.error());
    for (FoundSeed& seed : result->found) seed.plan.on_divergence = OnDivergence::kStop;
    out_.report.executions = out_.report.near_executions = result->executions;
    check(*result, FoundBy::kNear);
    return {};
  }

  // The first defect ends the search; if it is another one, everything is searched.
  Result<void> search_everything() {
    for (const bool keep_going : {false, true}) {
      if (there_ || (keep_going && others_.empty())) break;
      campaign_.keep_going = keep_going;
      campaign_.budget.time = std::max(left(), std::chrono::milliseconds(1));
      others_.clear();
      auto result = supervise_campaign(campaign_, {});
      if (!result) return tl::make_unexpected(result.error());
      out_.report.executions += result->executions;
      out_.report.complete = result->promise_kept;
      check(*result, FoundBy::kBounded);
      verdict_ = judge({*result, there_ || !others_.empty(), out_.report.not_confirmed, true});
    }
    return {};
  }

  // Of the time for searching.
  [[nodiscard]] std::chrono::milliseconds left() const {
    const auto used = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - start_);
    return std::max(time_ - used, std::chrono::milliseconds(0));
  }

  void check(const CampaignResult& result, FoundBy by) {
    Confirmed confirmed = confirm_findings(request_, campaign_, plan_.image, input_, result);
    out_.warnings.insert(out_.warnings.end(), confirmed.warnings.begin(), confirmed.warnings.end());
    out_.report.not_confirmed = confirmed.not_confirmed.size();
    there_ = std::any_of(confirmed.findings.begin(), confirmed.findings.end(),
                         [&](const Finding& finding) { return is_the_plans(finding, file_); });
    if (there_) {
      out_.report.found_by = by;
      out_.report.findings = std::move(confirmed.findings);
    } else if (!confirmed.findings.empty()) {
      others_ = std::move(confirmed.findings);
    }
  }

  const PreparedPlan& plan_;
  const PlanFile& file_;
  StandardInput input_;
  Clock::time_point start_ = Clock::now();
  std::chrono::milliseconds time_;
  CampaignRequest request_;
  CampaignOptions campaign_;
  bool there_ = false;
  std::vector<Finding> others_;  // defects, but not the plan's
  Verdict verdict_;
  VerifiedFix out_;
};

}  // namespace

Result<VerifiedFix> verify_fix(const PreparedPlan& plan, std::optional<std::uint32_t> preemptions,
                               std::chrono::milliseconds time) {
  const PlanFile& file = *plan.source.plan;
  const std::string& stdin_path = plan.replay.program.stdin_path;
  auto input = stdin_path.empty() ? Result<StandardInput>(StandardInput()) : StandardInput::open(stdin_path);
  if (!input) return tl::make_unexpected(input.error());
  PreparedPlan bounded = plan;
  bounded.replay.deadline = deadline_for(CampaignRequest(), time, Clock::now());
  Verifier verifier(bounded, std::move(*input),
                    preemptions.value_or(file.cost ? file.cost->preemptions : kUsualPreemptions), time);
  if (auto done = verifier.run(); !done) return tl::make_unexpected(done.error());
  return verifier.take();
}

}  // namespace ravel
