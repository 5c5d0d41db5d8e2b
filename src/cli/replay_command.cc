// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel replay`: run a plan file or a seed string again, compare with what it promised, or hand it to gdb.
#include <fmt/format.h>
#include <unistd.h>

#include <sstream>

#include "cli/command.h"
#include "cli/configuration.h"
#include "cli/output.h"
#include "cli/replay_options.h"
#include "detect/detector_table.h"
#include "driver/layout.h"
#include "driver/replay.h"
#include "investigate/defects.h"
#include "investigate/draw_timeline.h"
#include "investigate/measure_coverage.h"
#include "investigate/plan_source.h"
#include "investigate/replay_verdict.h"
#include "model/exit_code.h"
#include "model/text/printable.h"
#include "report/columns.h"
#include "report/console.h"
#include "report/coverage_text.h"
#include "report/interleaving.h"
#include "report/json_report.h"
#include "report/library_races.h"
#include "report/schedule_names.h"
#include "report/timeline.h"
#include "report/trace_export.h"

namespace ravel {
namespace {

constexpr CommandSyntax kSyntax = {
    "replay", "[options] FILE|rv1:...|policy:NAME[,K=V] [-- PROGRAM [ARGUMENTS...]]",
    "Runs a saved schedule again. Program, arguments and folder are those of the plan unless given.",
    ProgramStartsAt::kDoubleDash,
    "1 reproduced, 0 ran clean, 3 diverged or a plan for a different program, 2 usage, 4 internal error"};

constexpr std::size_t kEventsBeforeStop = 12;

int debug(ReplayOptions replay, const ReplayArguments& arguments) {
  auto script = gdb_script();
  if (!script) return fail(script.error());
  replay.plan.stop_at_failure = arguments.until == 0 ? 1 : 0;
  const bool starts = arguments.gdb_arguments.empty();
  // Our script comes first: the user's words may be a script of theirs that uses its commands.
  Arguments command = {"gdb", "-q", "-x", *script, "-ex", starts ? "ravel-start" : "ravel-prepare"};
  std::istringstream words(arguments.gdb_arguments);
  for (std::string word; words >> word;) command.push_back(word);
  command.emplace_back("--args");
  command.push_back(replay.program.path);
  command.insert(command.end(), replay.program.argv.begin() + 1, replay.program.argv.end());
  return fail(become_debugger(replay, command));
}

void print_replay(const ReplayReport& report, const ReplayArguments& arguments) {
  ConsoleOptions console;
  console.style = style_for(arguments.color, STDOUT_FILENO);
  console.show_output = !arguments.show_output;
  console.width = terminal_width(STDOUT_FILENO);
  std::FILE* out = arguments.trace == "-" ? stderr : arguments.formats.console_stream(arguments.json);
  if (!arguments.quiet && arguments.formats.console) {
    for (const Finding& finding : report.findings) fmt::print(out, "{}\n", console_finding(finding, console));
    if (!report.stopped_at.empty())
      fmt::print(out, "{}\n", interleaving_columns(report.stopped_at, console.style, console.width));
    for (const std::string& note : report.notes) fmt::print(stderr, "note: {}\n", note);
    for (const UncontrolledCall& call : report.uncontrolled) fmt::print(stderr, "not controlled: {}\n", call.text());
  }
  std::string verdict(name_of(report.end));
  if (report.exit_code == kExitDefect) verdict = console.style.bad(verdict);
  if (report.exit_code == kExitClean) verdict = console.style.good(verdict);
  if (arguments.formats.console) {
    fmt::print(out, "{}: {} ({} run{}, {} events, hash {:016x})\n", verdict, report.outcome, report.runs,
               report.runs == 1 ? "" : "s", report.events, report.hash);
  }
  if (!report.reason.empty()) {
    const bool bad = report.exit_code == kExitCannotTest || report.exit_code == kExitInternal;
    fmt::print(stderr, "ravel: {}{}\n", bad ? std::string(name_of(report.end)) + ": " : "",
               printable_line(report.reason));
  }
}

// A failure leads, with its causes and the races of its execution. What detectors found besides is reported when the
// plan is about such a thing, or when nothing failed and it was asked for.
std::vector<Finding> all_findings(Names& names, const PlanFile* plan, bool asked) {
  const ExecutionRecord& record = names.record();
  std::vector<Finding> findings;
  const bool failed = is_defect(record.outcome);
  if (failed) {
    findings = findings_of(names, 0);
  } else {
    for (const RaceRecord& race : record.races) findings.push_back(describe_race(names, race));
  }
  for (const DetectionRecord& found : record.detections) {
    const bool meant = plan != nullptr && plan->outcome == found.kind;
    if (!meant && (!asked || failed)) continue;
    if (found.detector >= detector_table().size() || detector_table()[found.detector].predicts) continue;
    Finding finding = describe_detection(names, found);
    // Several detectors name races, and without training everything is unusual: only what the plan says is meant.
    const bool several = found.kind == OutcomeKind::kDataRace || detector_table()[found.detector].needs_training;
    if (several && !asked && !(finding.place == plan->outcome_place)) continue;
    findings.push_back(std::move(finding));
  }
  return findings;
}

// Nothing is measured where the plan did not do what was asked for.
Result<void> keep_coverage(const ReplayArguments& arguments, const ReplayOptions& replay, const ProgramImage& image,
                           const ReplayVerdict& verdict) {
  if (arguments.coverage.metrics == 0 || verdict.exit_code == kExitCannotTest) return {};
  auto coverage = coverage_of_replay(replay, arguments.coverage, image);
  if (!coverage) return tl::make_unexpected(coverage.error());
  auto path = save_coverage(*coverage, arguments.coverage_file, ".ravel", coverage->program + ".replay.cov");
  if (!path) return tl::make_unexpected(path.error());
  if (arguments.quiet || !arguments.formats.console) return {};
  std::FILE* out = arguments.trace == "-" ? stderr : arguments.formats.console_stream(arguments.json);
  fmt::print(out, "{}coverage:   {}\n", execution_table(*coverage), printable_line(*path));
  return {};
}

// What the plan, the program and the verdict say; findings are there already.
void fill_report(ReplayReport& report, const PlanSource& source, const ProgramImage& image, const ReplayFacts& facts,
                 const ReplayVerdict& verdict) {
  const ExecutionRecord& record = facts.result.record;
  report.program = image.path;
  report.plan = source.name;
  report.expected = source.plan ? std::string(outcome_name(source.plan->outcome)) : "";
  report.outcome = outcome_name(record.outcome);
  report.end = verdict.end;
  report.reason = verdict.reason;
  report.runs = facts.result.runs;
  report.mismatches = facts.result.mismatches;
  report.steps = record.steps;
  report.observations = record.observations;
  report.events = record.total_events;
  report.hash = facts.hash;
  report.fingerprint = record.fingerprint;
  report.first_difference = facts.difference;
  report.exit_code = verdict.exit_code;
  report.notes = note_texts(facts.result.notes);
  for (Finding& finding : report.findings) finding.hash = facts.hash;
}

int replay_and_tell(const PlanSource& source, const ReplayArguments& arguments, const ProgramImage& image,
                    const ReplayOptions& replay, bool same_build) {
  auto result = run_replay(replay);
  if (!result) return fail(result.error());
  const ExecutionRecord& record = result->record;
  Symbolizer symbolizer;
  Names names(record, symbolizer);
  const std::vector<std::string> left_out = leave_out_library_races(result->record, names);

  ReplayReport report;
  report.findings = all_findings(names, source.plan ? &*source.plan : nullptr, arguments.detectors.has_value());
  LimitsReport limits = describe_limits(result->limits);
  ReplayFacts facts{source.plan ? &*source.plan : nullptr,
                    same_build,
                    *result,
                    canonical_hash_of(record, names),
                    {},
                    {},
                    arguments.then.has_value(),
                    arguments.until != 0,
                    limits.difference};
  if (!report.findings.empty()) facts.place = report.findings[0].place;
  if (source.plan) {
    // Of several races the plan is about one.
    for (const Finding& finding : report.findings) {
      if (finding.place == source.plan->outcome_place) facts.place = finding.place;
    }
    facts.misfit = first_misfit(*source.plan, name_schedule(record, names), record);
  }
  const ReplayVerdict verdict = judge_replay(facts);

  fill_report(report, source, image, facts, verdict);
  report.uncontrolled = std::move(limits.uncontrolled);
  report.notes.insert(report.notes.end(), left_out.begin(), left_out.end());
  if (verdict.exit_code == kExitCannotTest) report.findings.clear();  // not what was asked for
  if (verdict.end == ReplayEnd::kStopped) {
    report.outcome = fmt::format("before event {}", arguments.until);
    report.stopped_at = last_events(names, kEventsBeforeStop).lines;
    report.findings.clear();
  }

  if (arguments.formats.draws()) {
    report.timeline = draw_timeline(names, replay);
    for (Finding& finding : report.findings) finding.timeline = report.timeline;
  }
  print_replay(report, arguments);
  if (auto kept = keep_coverage(arguments, replay, image, verdict); !kept) return fail(kept.error());
  auto written = write_formats(arguments.formats, arguments.json, {nullptr, &report}, arguments.quiet);
  if (!written) return fail(written.error());
  if (!arguments.trace.empty()) {
    written = write_output(arguments.trace, trace_as_text(names));
    if (!written) return fail(written.error());
  }
  return verdict.exit_code;
}

}  // namespace

CommandPage replay_page() {
  return configured_page(page_of(kSyntax, replay_option_table()));
}

int replay_command(const Arguments& args) {
  ReplayArguments arguments;
  const auto bound = bind_options(replay_option_table(), arguments);
  CommandLine line;
  if (auto ended = start_command(kSyntax, bound, args, line)) return *ended;
  if (line.positional.size() != 1) {
    return fail(Error{ErrorKind::kUsage, line.positional.empty() ? "no plan given" : "more than one plan given", "",
                      "ravel replay FILE [-- PROGRAM ARGUMENTS...]"});
  }
  auto source = read_plan_source(line.positional[0]);
  if (!source) return fail(source.error());
  auto plan = prepare_plan(std::move(*source), line.program);
  if (!plan) return fail(plan.error());
  if (plan->source.seed && !plan->same_build) {
    fmt::print(stderr,
               "ravel: warning: the seed string was made for another build of the program; use the plan file\n");
  }
  ReplayOptions& replay = plan->replay;
  replay.program.pass_output = arguments.show_output;
  replay.repeat = arguments.times;
  if (arguments.detectors) replay.detectors = *arguments.detectors;
  replay.plan.stop_at = arguments.until;
  if (arguments.then) {
    replay.plan.on_divergence = OnDivergence::kContinue;
    replay.plan.policy = *arguments.then;
  }
  if (arguments.coverage.metrics == 0 && !arguments.coverage_file.empty()) {
    return fail(Error{ErrorKind::kUsage, "--coverage-file needs --coverage", arguments.coverage_file, ""});
  }
  if (auto found = find_jobs(arguments.coverage, arguments.coverage_jobs, plan->image.path); !found) {
    return fail(found.error());
  }
  if (arguments.gdb) return debug(std::move(replay), arguments);
  return replay_and_tell(plan->source, arguments, plan->image, replay, plan->same_build);
}

}  // namespace ravel
