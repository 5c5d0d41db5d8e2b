// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel minimize`: the simplest schedule that shows the defect of a plan, as a plan of its own.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "cli/command.h"
#include "cli/configuration.h"
#include "cli/output.h"
#include "cli/plan_options.h"
#include "cli/progress_line.h"
#include "driver/plan_store.h"
#include "investigate/campaign_setup.h"
#include "investigate/defects.h"
#include "investigate/explain_plan.h"
#include "investigate/minimise_plan.h"
#include "model/exit_code.h"
#include "report/console.h"
#include "report/json_report.h"
#include "report/library_races.h"
#include "report/plan_builder.h"

namespace ravel {
namespace {

constexpr CommandSyntax kSyntax = {
    "minimize", "[options] PLAN|rv1:... [-- PROGRAM [ARGUMENTS...]]",
    "Searches for the simplest schedule with the defect of PLAN: fewest preemptions, then fewest switches, threads and "
    "events. The result is a plan of its own; PLAN stays as it is.",
    ProgramStartsAt::kDoubleDash,
    "0 done (also when nothing simpler was found), 2 usage, 3 PLAN does not show its defect, 4 internal error, 130 "
    "interrupted"};

std::string default_output(const std::string& plan) {
  constexpr std::string_view kPlan = ".plan";
  if (plan.ends_with(kPlan)) return plan.substr(0, plan.size() - kPlan.size()) + ".min.plan";
  return looks_like_seed_string(plan) ? "minimised.plan" : plan + ".min";
}

// What was found is repeated and explained in what the deadline leaves.
MinimiseOptions options_for(const PlanDefect& defect, std::chrono::milliseconds time) {
  MinimiseOptions how;
  how.time = time;
  how.race = defect.race;
  how.detection = defect.detection;
  how.detectors = defect.detectors;
  how.thoroughly = true;
  return how;
}

Simplification simplification_of(const MinimiseResult& minimised, const Finding& given, const std::string& plan) {
  return {true,
          minimised.fewest_preemptions,
          minimised.executions,
          minimised.seconds,
          plan,
          given.preemptions,
          given.switches,
          given.events};
}

// The same defect in another execution.
std::optional<Finding> shown_again(ReplayResult& result, const PlanDefect& defect, Symbolizer& symbolizer) {
  Names names(result.record, symbolizer);
  leave_out_library_races(result.record, names);
  if (defect.detection != 0) {
    for (const DetectionRecord& found : result.record.detections) {
      if (found.key == defect.detection) return describe_detection(names, found);
    }
    return std::nullopt;
  }
  for (Finding& other : findings_of(names, defect.race)) {
    if (same_defect(other, defect.finding)) return std::move(other);
  }
  return std::nullopt;
}

}  // namespace

CommandPage minimize_page() {
  return configured_page(page_of(kSyntax, minimize_option_table()));
}

int minimize_command(const Arguments& args) {
  PlanArguments arguments;
  const auto bound = bind_options(minimize_option_table(), arguments);
  CommandLine line;
  if (auto ended = start_command(kSyntax, bound, args, line)) return *ended;
  auto plan = named_plan(kSyntax, line);
  if (!plan) return fail(plan.error());
  Symbolizer symbolizer;
  plan->replay.deadline = deadline_for(CampaignRequest(), arguments.time, Clock::now());
  auto defect = reproduce(*plan, symbolizer);
  if (!defect) return fail(defect.error());

  ProgressLine progress(!arguments.quiet);
  MinimiseOptions how = options_for(*defect, arguments.time);
  how.listener = progress.listener("minimising");
  auto minimised = minimise(plan->replay, how);
  if (!minimised) return fail(minimised.error());
  if (minimised->interrupted && !minimised->confirmed) return kExitInterrupted;
  if (!minimised->hit) {
    return fail(Error{ErrorKind::kCannotTest, "the plan does not show its defect inside a campaign", plan->source.name,
                      "the program is not deterministic under Ravel: see `ravel replay --times 10'"});
  }
  std::optional<Finding> simpler;
  if (minimised->confirmed) {
    simpler = shown_again(*minimised->confirmed, *defect, symbolizer);
    if (!simpler) {  // another defect in the same place: the plan stays as it is
      minimised->confirmed.reset();
      minimised->replay = plan->replay;
      minimised->fewest_preemptions = false;
    }
  }
  ReplayResult& shown = minimised->confirmed ? *minimised->confirmed : defect->result;
  Names names(shown.record, symbolizer);
  Finding finding = simpler ? std::move(*simpler) : defect->finding;
  finding.hash = canonical_hash_of(shown.record, names);
  finding.simplified = simplification_of(*minimised, defect->finding, plan->source.name);
  const PlanFile* file = plan->source.plan ? &*plan->source.plan : nullptr;
  const PlanOrigin origin{plan->image, minimised->replay, file != nullptr ? file->strategy : "",
                          file != nullptr ? file->seed : 0, file != nullptr ? file->stdin_path : ""};
  how.time = plan->replay.deadline.left();
  how.listener = progress.listener("explaining");
  if (auto explained = explain(minimised->replay, how, names, finding); !explained) return fail(explained.error());
  progress.clear();
  finding.plan = arguments.output.empty() ? default_output(plan->source.name) : arguments.output;
  if (auto written = write_file(finding.plan, write_plan(build_plan(origin, finding, names))); !written)
    return fail(written.error());

  std::FILE* out = arguments.json == "-" ? stderr : stdout;
  if (!arguments.quiet) {
    ConsoleOptions console;
    console.style = style_for(arguments.color, STDOUT_FILENO);
    console.width = terminal_width(STDOUT_FILENO);
    fmt::print(out, "{}", console_finding(finding, console));
  }
  if (!arguments.json.empty()) {
    const PlanReport report{"minimize", plan->image.path, plan->source.name, {}, kExitClean, {finding}};
    if (auto written = write_output(arguments.json, json_of(report)); !written) return fail(written.error());
  }
  return kExitClean;
}

}  // namespace ravel
