// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel verify-fix`: is the defect of a plan still reachable in the changed program?
#include <fmt/format.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/configuration.h"
#include "cli/output.h"
#include "cli/plan_options.h"
#include "investigate/verify_fix.h"
#include "model/exit_code.h"
#include "model/text/printable.h"
#include "report/console.h"
#include "report/json_report.h"

namespace ravel {
namespace {

constexpr CommandSyntax kSyntax = {
    "verify-fix", "[options] PLAN [-- PROGRAM [ARGUMENTS...]]",
    "Runs the changed program through the failing schedule of PLAN, as far as it fits, and then through all schedules "
    "with at most as many preemptions. PROGRAM is the plan's own unless given.",
    ProgramStartsAt::kDoubleDash,
    "0 the defect is not reachable within so many preemptions, 1 it still is (or another one is), 2 usage, 3 could not "
    "test, 4 internal error, 5 the time ended before all those schedules were run, 130 interrupted"};

void print_report(const VerifyFixReport& report, const PlanArguments& arguments) {
  std::FILE* out = arguments.json == "-" ? stderr : stdout;
  if (arguments.quiet) return;
  ConsoleOptions console;
  console.style = style_for(arguments.color, STDOUT_FILENO);
  console.width = terminal_width(STDOUT_FILENO);
  for (const Finding& finding : report.findings) fmt::print(out, "{}\n", console_finding(finding, console));
  const bool good = report.exit_code == kExitClean;
  const std::string_view name = name_of(report.state);
  const std::string verdict = good ? console.style.good(name) : console.style.bad(name);
  // These two say it themselves.
  const bool said = report.state == FixState::kReachable || report.state == FixState::kNotReachable;
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
  auto verified = verify_fix(*plan, arguments.preemptions, arguments.time);
  if (!verified) return fail(verified.error());
  for (const std::string& text : verified->warnings) fmt::print(stderr, "ravel: warning: {}\n", printable_line(text));
  const VerifyFixReport& report = verified->report;
  print_report(report, arguments);
  if (!arguments.json.empty()) {
    if (auto written = write_output(arguments.json, json_of(report)); !written) return fail(written.error());
  }
  return report.exit_code;
}

}  // namespace ravel
