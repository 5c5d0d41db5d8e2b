// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel outcomes`: every combination of observed values, each with a plan; or the difference of two such lists.
#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "cli/command.h"
#include "cli/configuration.h"
#include "cli/output.h"
#include "cli/progress_line.h"
#include "driver/supervise.h"
#include "investigate/campaign_setup.h"
#include "investigate/conventions.h"
#include "investigate/keep_outcomes.h"
#include "investigate/measure_coverage.h"
#include "investigate/use_facts.h"
#include "model/exit_code.h"
#include "model/text/printable.h"
#include "report/coverage_text.h"
#include "report/limits.h"
#include "report/outcome_list.h"

namespace ravel {
namespace {

constexpr CommandSyntax kSyntax = {
    "outcomes", "[options] [--] PROGRAM [ARGUMENTS...]  |  outcomes --diff OLD.json NEW.json",
    "Lists every combination of the values given to ravel::observe() that PROGRAM can end with, with the number of "
    "schedules and a plan to replay for each. Takes the options of `ravel run'; strategy dpor unless given.",
    ProgramStartsAt::kFirstWord,
    "0 complete and no defect, 1 some outcome is a defect (--diff: the lists differ), 2 usage, 3 could not test, 4 "
    "internal error, 5 not complete, 130 interrupted"};

struct OutcomesOptions {
  RunOptions run;
  std::string diff;
  bool no_plans = false;
};

std::vector<BoundOption> bind_all(OutcomesOptions& options) {
  std::vector<BoundOption> bound = bind_options(run_option_table(), options.run);
  bound.push_back({"--diff", "OLD.json", "compare two lists written with --json instead of running a program",
                   [&options](const std::string& value) {
                     options.diff = value;
                     return std::string();
                   },
                   nullptr});
  bound.push_back({"--no-plans", "", "list the outcomes without running each again in a fresh process to save its plan",
                   [&options](const std::string&) {
                     options.no_plans = true;
                     return std::string();
                   },
                   nullptr});
  return bound;
}

Result<OutcomesReport> read_list(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf())) return usage_error("cannot read the list of outcomes", path);
  return outcomes_from_json(text.str(), path);
}

int compare(const OutcomesOptions& options, const Arguments& words) {
  if (words.size() != 1) {
    return fail(Error{ErrorKind::kUsage, "two lists are needed", "", "ravel outcomes --diff OLD.json NEW.json"});
  }
  auto before = read_list(options.diff);
  if (!before) return fail(before.error());
  auto after = read_list(words[0]);
  if (!after) return fail(after.error());
  const OutcomesDifference difference = difference_of(*before, *after);
  const int code = difference.empty() ? kExitClean : kExitDefect;
  const bool json_on_stdout = options.run.json == "-";
  if (!options.run.quiet) {
    fmt::print(json_on_stdout ? stderr : stdout, "{}",
               console_difference(difference, style_for(options.run.color, STDOUT_FILENO)));
  }
  for (const std::string& note : difference.notes) fmt::print(stderr, "note: {}\n", note);
  if (!options.run.json.empty()) {
    if (auto written = write_output(options.run.json, json_of(difference, code)); !written)
      return fail(written.error());
  }
  return code;
}

Result<void> keep_coverage(const RunOptions& options, const ProgramImage& image, const StrategyRow& strategy,
                           const CampaignResult& result, std::FILE* out) {
  const auto coverage = coverage_of_campaign(options, image, strategy, result);
  if (coverage == nullptr) return {};
  auto path = save_coverage(options, *coverage);
  if (!path) return tl::make_unexpected(path.error());
  if (!options.quiet) fmt::print(out, "{}coverage:   {}\n", coverage_table(*coverage), printable_line(*path));
  return {};
}

OutcomesReport report_of(const RunOptions& options, const StrategyRow& strategy, const Arguments& program,
                         const ProgramImage& image, const CampaignResult& result) {
  OutcomesReport report;
  report.program = image.path;
  report.arguments.assign(program.begin() + 1, program.end());
  report.build_id = image.build_id;
  report.strategy = options.strategy;
  if (strategy.searches_tree) report.conventions = conventions_of(strategy, options);
  report.executions = result.executions;
  report.blocked = result.blocked;
  report.complete = result.complete;
  report.seconds = result.seconds;
  report.note = result.strategy_note;
  return report;
}

}  // namespace

CommandPage outcomes_page() {
  OutcomesOptions unused;
  CommandPage page{kSyntax, bind_all(unused), true};
  for (BoundOption& option : page.options) option.set = {};
  return configured_page(std::move(page));
}

int outcomes_command(const Arguments& args) {
  OutcomesOptions all;
  const auto bound = bind_all(all);
  CommandLine line;
  if (auto ended = start_command(kSyntax, bound, args, line)) return *ended;
  if (!all.diff.empty()) return compare(all, line.program);
  if (line.program.empty()) {
    return fail(Error{ErrorKind::kUsage, "no program given", "", "ravel outcomes [options] ./program [arguments]"});
  }
  RunOptions& options = all.run;
  options.keep_going = true;
  options.expect_complete = true;
  auto setup = check_options(options);
  if (!setup) return fail(setup.error());
  auto image = testable_program(line.program[0]);
  if (!image) return fail(image.error());
  auto input = StandardInput::open(options.stdin_file);
  if (!input) return fail(input.error());
  if (auto found = find_jobs(options.coverage, options.coverage_jobs, image->path); !found) return fail(found.error());
  CampaignOptions campaign = campaign_options(options, line.program, *image, *input);
  auto facts_note = use_facts(options, *image, campaign);
  if (!facts_note) return fail(facts_note.error());
  if (!facts_note->empty() && !options.quiet) fmt::print(stderr, "note: {}\n", printable_line(*facts_note));
  campaign.outcomes = kListOutcomes;
  CampaignResult result;
  {
    ProgressLine progress(!options.quiet);
    auto done = supervise_campaign(campaign, [&](const CampaignResult& so_far) { progress.show(so_far); });
    progress.clear();
    if (!done) return fail(done.error());
    result = std::move(*done);
  }
  OutcomesReport report = report_of(options, *setup->strategy, line.program, *image, result);
  const OutcomePlans plans = all.no_plans ? OutcomePlans::kNone : OutcomePlans::kSaved;
  auto warning = keep_outcomes(options, campaign, *image, *input, result, plans, report);
  if (!warning) return fail(warning.error());
  if (!warning->empty()) fmt::print(stderr, "ravel: warning: {}\n", printable_line(*warning));
  std::FILE* out = options.json == "-" ? stderr : stdout;
  if (!options.quiet) {
    fmt::print(out, "{}", console_outcomes(report, style_for(options.color, STDOUT_FILENO)));
    if (!report.note.empty()) fmt::print(out, "{}\n", report.note);
    for (const std::string& note : setup->notes) fmt::print(stderr, "note: {}\n", note);
    for (const UncontrolledCall& call : describe_limits(result.limits).uncontrolled) {
      fmt::print(stderr, "not controlled: {}\n", call.text());
    }
  }
  for (const std::string& text : report.not_confirmed) fmt::print(stderr, "ravel: not reproduced: {}\n", text);
  if (!report.reason.empty()) fmt::print(stderr, "ravel: {}\n", report.reason);
  if (auto kept = keep_coverage(options, *image, *setup->strategy, result, out); !kept) return fail(kept.error());
  if (!options.json.empty()) {
    if (auto written = write_output(options.json, json_of(report)); !written) return fail(written.error());
  }
  return report.exit_code;
}

}  // namespace ravel
