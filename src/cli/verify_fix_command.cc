// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel verify-fix`: is the defect of a plan still reachable in the changed program, with schedules that cost no more
// than the plan's? First the plan itself, as far as it fits; then schedules near to it; then all with so many
// preemptions.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "cli/command.h"
#include "cli/configuration.h"
#include "cli/output.h"
#include "cli/plan_options.h"
#include "detect/detector_table.h"
#include "driver/plan_store.h"
#include "investigate/confirm.h"
#include "investigate/defects.h"
#include "investigate/minimise_plan.h"
#include "investigate/verdict.h"
#include "model/exit_code.h"
#include "report/console.h"
#include "report/json_report.h"

namespace ravel {
namespace {

constexpr std::uint32_t kUsualPreemptions = 2;  // of plans that do not say: few defects need more

constexpr CommandSyntax kSyntax = {
    "verify-fix", "[options] PLAN [-- PROGRAM [ARGUMENTS...]]",
    "Runs the changed program through the failing schedule of PLAN, as far as it fits, and then through all schedules "
    "with at most as many preemptions. PROGRAM is the plan's own unless given.",
    ProgramStartsAt::kDoubleDash,
    "0 the defect is not reachable within so many preemptions, 1 it still is (or another one is), 2 usage, 3 could not "
    "test, 4 internal error, 5 the time ended before all those schedules were run, 130 interrupted"};

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

void tell(VerifyFixReport& report, bool still_there, const Verdict& verdict) {
  const std::string within = grouped(report.preemptions, "preemption");
  const std::string schedules = grouped(report.executions, "schedule");
  report.exit_code = verdict.exit_code;
  if (still_there) {
    report.exit_code = kExitDefect;
    report.verdict = "reachable";
    report.reason = fmt::format("still reachable with {}: {}", grouped(report.findings[0].preemptions, "preemption"),
                                report.found_by == "plan"   ? "the plan's own schedule shows it"
                                : report.found_by == "near" ? "near the plan's schedule, " + schedules
                                                            : schedules);
  } else if (!report.findings.empty()) {
    report.exit_code = kExitDefect;
    report.verdict = "another-defect";
    report.reason = "the defect of the plan was not seen, but another one was";
  } else if (verdict.exit_code == kExitClean) {
    report.verdict = "not-reachable";
    report.reason = fmt::format("not reachable within {}: {}, complete", within, schedules);
  } else if (verdict.exit_code == kExitInconclusive) {
    report.verdict = "inconclusive";
    report.reason = fmt::format("not seen within {} in {}, but the time ended before all were run: raise --time",
                                within, schedules);
  } else {
    report.verdict = "could-not-test";
    report.reason = verdict.reason;
  }
}

void print_report(const VerifyFixReport& report, const PlanArguments& arguments) {
  std::FILE* out = arguments.json == "-" ? stderr : stdout;
  if (arguments.quiet) return;
  ConsoleOptions console;
  console.style = style_for(arguments.color, STDOUT_FILENO);
  console.width = terminal_width(STDOUT_FILENO);
  for (const Finding& finding : report.findings) fmt::print(out, "{}\n", console_finding(finding, console));
  const bool good = report.exit_code == kExitClean;
  const std::string verdict = good ? console.style.good(report.verdict) : console.style.bad(report.verdict);
  // These two say it themselves.
  const bool said = report.verdict == "reachable" || report.verdict == "not-reachable";
  if (said) {
    fmt::print(out, "{}\n", good ? console.style.good(report.reason) : console.style.bad(report.reason));
  } else {
    fmt::print(out, "{}: {}\n", verdict, report.reason);
  }
}

}  // namespace

CommandPage verify_fix_page() {
  return configured_page(page_of(kSyntax, verify_fix_option_table()));
}

int verify_fix_command(const Arguments& args) {
  PlanArguments arguments;
  const auto bound = bind_options(verify_fix_option_table(), arguments);
  CommandLine line;
  if (auto ended = start_command(kSyntax, bound, args, line)) return *ended;
  auto plan = named_plan(kSyntax, line, RacyPlaces::kAsFarAsFound);
  if (!plan) return fail(plan.error());
  if (!plan->source.plan) {
    return fail(Error{ErrorKind::kUsage, "not a plan file", plan->source.name,
                      "a seed string fits one build only: use the file that `ravel run' saved"});
  }
  const PlanFile& file = *plan->source.plan;
  VerifyFixReport report;
  report.program = plan->image.path;
  report.plan = plan->source.name;
  report.preemptions = arguments.preemptions.value_or(file.cost ? file.cost->preemptions : kUsualPreemptions);

  RunOptions options;
  options.expect_exit = file.expect_exit;
  const std::string& stdin_path = plan->replay.program.stdin_path;
  auto input = stdin_path.empty() ? Result<StandardInput>(StandardInput()) : StandardInput::open(stdin_path);
  if (!input) return fail(input.error());
  CampaignOptions campaign =
      campaign_for(*plan, fmt::format("bounded,preemptions={}", report.preemptions), arguments.time);
  campaign.detectors = default_detectors() | detectors_of(file.outcome);

  std::vector<Finding> others;  // defects, but not the plan's
  const auto is_still_there = [&](const CampaignResult& result) -> bool {
    Confirmed confirmed = confirm_findings(options, campaign, plan->image, *input, result);
    for (const std::string& text : confirmed.warnings) fmt::print(stderr, "ravel: warning: {}\n", text);
    report.not_confirmed = confirmed.not_confirmed.size();
    const bool there = std::any_of(confirmed.findings.begin(), confirmed.findings.end(),
                                   [&](const Finding& finding) { return is_the_plans(finding, file); });
    if (there) report.findings = std::move(confirmed.findings);
    if (!there && !confirmed.findings.empty()) others = std::move(confirmed.findings);
    return there;
  };
  // First the plan itself, then what is near to it, then everything that costs no more.
  auto result = try_schedule(*plan);
  if (!result) return fail(result.error());
  bool there = is_still_there(*result);
  if (there) report.found_by = "plan";
  if (!there && !plan->replay.prefix.empty()) {
    MinimiseOptions near;
    near.time = std::max(arguments.time / 4, std::chrono::milliseconds(1));
    CampaignOptions nearby = campaign_on(plan->replay, near, "nearby");
    nearby.detectors = campaign.detectors;
    result = supervise_campaign(nearby, {});
    if (!result) return fail(result.error());
    for (FoundSeed& seed : result->found) seed.plan.on_divergence = OnDivergence::kStop;
    report.executions = report.near_executions = result->executions;
    there = is_still_there(*result);
    if (there) report.found_by = "near";
  }
  Verdict verdict;
  // The first defect ends the search; if it is another one, everything is looked at.
  for (const bool keep_going : {false, true}) {
    if (there || (keep_going && others.empty())) break;
    campaign.keep_going = keep_going;
    others.clear();
    result = supervise_campaign(campaign, {});
    if (!result) return fail(result.error());
    report.executions += result->executions;
    report.complete = result->promise_kept;
    there = is_still_there(*result);
    if (there) report.found_by = "bounded";
    verdict = judge({*result, there || !others.empty(), report.not_confirmed, true});
  }
  if (!there) report.findings = std::move(others);
  tell(report, there, verdict);
  print_report(report, arguments);
  if (!arguments.json.empty()) {
    if (auto written = write_output(arguments.json, json_of(report)); !written) return fail(written.error());
  }
  return report.exit_code;
}

}  // namespace ravel
