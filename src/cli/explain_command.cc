// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel explain`: the two or three events of a plan whose order decides whether it fails.
#include <fmt/format.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/configuration.h"
#include "cli/output.h"
#include "cli/plan_options.h"
#include "cli/progress_line.h"
#include "investigate/campaign_setup.h"
#include "investigate/defects.h"
#include "investigate/explain_plan.h"
#include "model/exit_code.h"
#include "report/console.h"
#include "report/json_report.h"

namespace ravel {
namespace {

constexpr CommandSyntax kSyntax = {
    "explain", "[options] PLAN|rv1:... [-- PROGRAM [ARGUMENTS...]]",
    "Reports the pairs of events whose order decides the defect of PLAN: with the plan's order the program fails, with "
    "the order reversed it passes. Works best on a minimised plan.",
    ProgramStartsAt::kDoubleDash,
    "0 found, 5 no deciding pair found, 2 usage, 3 PLAN does not show its defect, 4 internal error"};

}  // namespace

CommandPage explain_page() {
  return configured_page(page_of(kSyntax, explain_option_table()));
}

int explain_command(const Arguments& args) {
  PlanArguments arguments;
  const auto bound = bind_options(explain_option_table(), arguments);
  CommandLine line;
  if (auto ended = start_command(kSyntax, bound, args, line)) return *ended;
  auto plan = named_plan(kSyntax, line);
  if (!plan) return fail(plan.error());
  Symbolizer symbolizer;
  plan->replay.deadline = deadline_for(CampaignRequest(), arguments.time, Clock::now());
  auto defect = reproduce(*plan, symbolizer);
  if (!defect) return fail(defect.error());
  Names names(defect->result.record, symbolizer);
  Finding& finding = defect->finding;
  finding.hash = canonical_hash_of(defect->result.record, names);
  if (plan->source.plan) finding.plan = plan->source.name;
  MinimiseOptions how;
  ProgressLine progress(!arguments.quiet);
  how.time = arguments.time;
  how.listener = progress.listener("explaining");
  how.race = defect->race;
  if (auto explained = explain(plan->replay, how, names, finding); !explained) return fail(explained.error());

  progress.clear();
  const bool found = !finding.decisive.empty();
  PlanReport report{"explain", plan->image.path, plan->source.name, {}, found ? kExitClean : kExitInconclusive,
                    {finding}};
  if (!found) report.reason = "no single pair of events decides the defect";
  std::FILE* out = arguments.json == "-" ? stderr : stdout;
  if (!arguments.quiet) {
    ConsoleOptions console;
    console.style = style_for(arguments.color, STDOUT_FILENO);
    console.width = terminal_width(STDOUT_FILENO);
    fmt::print(out, "{}", console_finding(finding, console));
    if (!found) fmt::print(stderr, "ravel: {}\n", report.reason);
  }
  if (!arguments.json.empty()) {
    if (auto written = write_output(arguments.json, json_of(report)); !written) return fail(written.error());
  }
  return report.exit_code;
}

}  // namespace ravel
