// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel run`: one campaign, its findings confirmed, saved and reported.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <optional>
#include <set>

#include "cli/command.h"
#include "cli/configuration.h"
#include "cli/free_run.h"
#include "cli/output.h"
#include "cli/progress_line.h"
#include "cli/run_options.h"
#include "driver/layout.h"
#include "explore/portfolio_parts.h"
#include "explore/strategy_table.h"
#include "investigate/brought_about.h"
#include "investigate/campaign_setup.h"
#include "investigate/confirm.h"
#include "investigate/conventions.h"
#include "investigate/judge_sequences.h"
#include "investigate/keep_goal.h"
#include "investigate/kept_pairs_file.h"
#include "investigate/measure_coverage.h"
#include "investigate/name_divergence.h"
#include "investigate/saved_plans.h"
#include "investigate/sequence_test.h"
#include "investigate/slice_search.h"
#include "investigate/use_facts.h"
#include "investigate/verdict.h"
#include "model/exit_code.h"
#include "model/text/printable.h"
#include "report/console.h"
#include "report/coverage_text.h"
#include "report/json_report.h"
#include "report/region_patterns.h"
#include "report/slice_text.h"
#include "report/suspects.h"
#include "report/validity_text.h"
#include "report/values_text.h"
#include "statics/facts_file.h"

namespace ravel {
namespace {

constexpr CommandSyntax kSyntax = {"run", "[options] [--] PROGRAM [ARGUMENTS...]",
                                   "Explores schedules of PROGRAM until a defect is found or the budget ends.",
                                   ProgramStartsAt::kFirstWord,
                                   "0 no defect, 1 defect, 2 usage, 3 could not test, 4 internal error, 5 budget ended "
                                   "before a guarantee, 130 interrupted"};

std::string saved_text(const SavedPlan& saved) {
  const std::string plan = printable_line(saved.plan);
  if (saved.state == SavedPlanState::kFails) return fmt::format("saved plan {}: fails again\n", plan);
  if (saved.state == SavedPlanState::kClean) return fmt::format("saved plan {}: clean\n", plan);
  return fmt::format("saved plan {}: no longer fits: {}\n", plan, printable_line(saved.reason));
}

// A search that is only part of the strategy has counted less than was explored.
std::string completeness(const CampaignResult& campaign, const std::string& schedules) {
  const std::uint64_t behaviours = campaign.behaviours;
  if (behaviours == 0 || behaviours >= campaign.executions) return fmt::format(" in all {} (complete)\n", schedules);
  return fmt::format(", complete: all {}\n", grouped(behaviours, "behaviour"));
}

// Why a campaign without a given budget ended, and what would go further.
std::string ending(const RunReport& report) {
  const CampaignResult& campaign = report.campaign;
  // Also where so few executions fit into the time that nobody could call that early.
  if (campaign.all_cut || (campaign.cut != 0 && campaign.cut == campaign.executions))
    return ": every one was cut at its limit of steps; --max-steps raises it";
  if (campaign.cut != 0 && campaign.cut + 1 == campaign.executions)  // the last one may have been ended by the time
    return ": all but one were cut at their limit of steps; --max-steps raises it";
  if (campaign.saturated) return ": coverage is saturated";
  if (campaign.unchanged != 0) {
    return fmt::format(": nothing new in the last {}; --time 1m goes on", grouped(campaign.unchanged));
  }
  // A search that has nothing left and is not complete says why elsewhere.
  const bool over = report.by_default && campaign.seconds > 9;
  return over ? ": 10 s are over; --time 1m goes further" : "";
}

// What each part of the default strategy did.
std::string parts_text(const CampaignResult& campaign) {
  std::string text;
  for (std::size_t i = 0; i < kPartCount; ++i) {
    const PartResult& part = campaign.parts[i];
    if (part.executions == 0) continue;
    text += fmt::format("  {:<9} {:>9} {:>12} {:>9}  {}\n", kPartTable[i].name, grouped(part.executions),
                        grouped(part.distinct_traces), grouped(part.found), kPartTable[i].what);
  }
  return fmt::format("  {:<9} {:>9} {:>12} {:>9}\n", "part", "schedules", "new traces", "findings") + text;
}

std::string summary(const RunReport& report, const Verdict& verdict, const Style& style) {
  std::string saved;
  for (const SavedPlan& plan : report.saved) saved += saved_text(plan);
  if (report.campaign.from_saved_plans) {
    return saved + "nothing else was explored: use --saved ignore or --keep-going to explore further\n";
  }
  const CampaignResult& campaign = report.campaign;
  const double rate = campaign.seconds > 0 ? static_cast<double>(campaign.executions) / campaign.seconds : 0;
  const std::string schedules = grouped(campaign.executions, "schedule");
  std::string text = saved + fmt::format("explored {} in {:.2f} s ({}/s), strategy {}, seed {}\n", schedules,
                                         campaign.seconds, rate_text(rate), report.strategy, report.seed);
  if (!report.findings.empty() || verdict.exit_code == kExitCannotTest || verdict.vacuous) return text;
  if (campaign.interrupted) return text + style.warn("interrupted") + ": no defect so far\n";
  if (!report.slice.targets.empty()) return text;  // its rounds say more
  if (campaign.complete) {
    text += style.good("no defect") + completeness(campaign, schedules);
    for (const auto& [what, how] : report.conventions) text += fmt::format("  {}: {}\n", what, how);
  } else {
    text += style.good("no defect") + fmt::format(" in {} (not exhaustive){}\n", schedules, ending(report));
    if (const CampaignEstimate& all = campaign.estimate; all.executions > campaign.executions) {
      text +=
          fmt::format("there are about {} ({} to {})\n", grouped(all.executions), grouped(all.low), grouped(all.high));
    }
  }
  return text;
}

// What became of the sequence of --goal.
std::string goal_text(const GoalReport& goal, const Style& style) {
  if (goal.places.empty()) return {};
  const std::string all = grouped(goal.places.size(), "place");
  if (goal.reached) {
    return fmt::format(
        "{}: all {} passed in order in execution {}, which ended with {} ({} ranked)\nreproduce:  ravel "
        "replay {}\n",
        style.good("goal reached"), all, goal.execution, goal.outcome, grouped(goal.states, "state"),
        printable_line(goal.plan));
  }
  std::string stuck = fmt::format(
      "never {}", printable_line(goal.places[std::min<std::size_t>(goal.observed, goal.places.size() - 1)]));
  if (goal.observed != 0) stuck += fmt::format(" after {}", printable_line(goal.places[goal.observed - 1]));
  return fmt::format("{}: {} of {} passed in order ({} ranked); {}\n", style.warn("goal not reached"), goal.observed,
                     all, grouped(goal.states, "state"), stuck);
}

// A failure leads; races that were part of it and what caused it are only named after it.
bool told_already(const RunReport& report, const Finding& race) {
  for (const Finding& finding : report.findings) {
    for (const Finding& cause : finding.causes) {
      if (!race.detector.empty() && cause.detector == race.detector && cause.fingerprint == race.fingerprint)
        return true;
    }
    if (race.kind != OutcomeKind::kDataRace) continue;
    for (const Finding& related : finding.related) {
      if (related.identity == race.identity) return true;
    }
  }
  return false;
}

// Of a search by value schedules: what was planned, in the user's terms.
void print_orders(const RunReport& report, std::FILE* out) {
  constexpr std::size_t kMost = 8;
  for (const Finding& finding : report.findings) {
    if (finding.plan.empty() || finding.kind == OutcomeKind::kDataRace || !finding.detector.empty()) continue;
    const std::vector<std::string> orders = orders_of_plan(finding.plan, kMost + 1);
    if (!orders.empty()) fmt::print(out, "these orders were brought about; the rest ran on:\n");
    for (std::size_t i = 0; i < orders.size() && i < kMost; ++i) fmt::print(out, "  {}\n", printable_line(orders[i]));
    if (orders.size() > kMost) fmt::print(out, "  ... (`ravel values show {}')\n", printable_line(finding.plan));
    return;
  }
}

void print_report(const RunReport& report, const Verdict& verdict, const RunOptions& options,
                  const std::vector<std::string>& warnings) {
  ConsoleOptions console;
  console.style = style_for(options.color, STDOUT_FILENO);
  console.show_output = !options.show_output;
  console.width = terminal_width(STDOUT_FILENO);
  console.environment = test_environment();
  std::FILE* out = options.formats.console_stream(options.json);
  const bool talk = !options.quiet && options.formats.console;
  if (talk) fmt::print(out, "{}", summary(report, verdict, console.style));
  if (options.formats.console) {
    fmt::print(out, "{}",
               report.slice.targets.empty() ? goal_text(report.goal, console.style)
                                            : slice_text(report.slice, report.goal, console.style));
  }
  if (options.formats.console) fmt::print(out, "{}", validity_text(report.validity, console.style));
  if (talk && report.campaign.values.searches != 0) {
    fmt::print(out, "{}", values_summary(report.campaign, places_of(report.program, report.campaign.values)));
    print_orders(report, out);
  }
  if (talk && options.explain_strategy) fmt::print(out, "{}", parts_text(report.campaign));
  std::set<std::uint32_t> calls;
  for (const Finding& finding : report.findings) {
    if (!options.formats.console) break;
    if (!finding.folded_into.empty()) continue;
    console.leads = calls.insert(finding.explore_call).second;
    fmt::print(out, "{}\n", told_already(report, finding) ? console_brief(finding) : console_finding(finding, console));
  }
  for (const Finding& finding : report.potential) {
    if (options.formats.console) fmt::print(out, "{}\n", console_potential(finding));
  }
  if (options.formats.console) fmt::print(out, "{}", console_doubtful(report.doubtful));
  if (talk && report.coverage != nullptr) {
    fmt::print(out, "{}coverage:   {}\n", coverage_table(*report.coverage), printable_line(report.coverage_file));
  }
  for (const std::string& text : warnings) fmt::print(stderr, "ravel: warning: {}\n", printable_line(text));
  for (const std::string& text : report.not_confirmed) fmt::print(stderr, "ravel: not reproduced: {}\n", text);
  if (talk && !report.campaign.strategy_note.empty()) {
    fmt::print(out, "{}\n", printable_line(report.campaign.strategy_note));
  }
  if (talk) {
    for (const std::string& note : report.notes) fmt::print(stderr, "note: {}\n", note);
    for (const UncontrolledCall& call : report.uncontrolled) fmt::print(stderr, "not controlled: {}\n", call.text());
  }
  if (!report.campaign.trouble.empty()) fmt::print(stderr, "ravel: warning: {}\n", report.campaign.trouble);
  if (!verdict.reason.empty()) {
    fmt::print(stderr, "ravel: {}{}\n", verdict.vacuous ? "nothing was tested: " : "", verdict.reason);
  }
}

Result<void> write_reports(const RunOptions& options, const RunReport& report) {
  return write_formats(options.formats, options.json, {&report, nullptr}, options.quiet);
}

// A defect was printed, so that a file which cannot be written does not hide it.
int write_and_end(const RunOptions& options, const RunReport& report) {
  auto written = write_reports(options, report);
  if (written) return report.exit_code;
  const int code = fail(written.error());
  return report.exit_code == kExitDefect ? report.exit_code : code;
}

// A program that cannot be tested at all; said in files too, since machines must not take silence for success.
int report_untestable(const Error& error, const RunOptions& options, const Arguments& program) {
  const bool vacuous = error.kind == ErrorKind::kCannotTest;
  const ExitCode code = vacuous && options.allow_vacuous ? kExitClean : exit_code_of(error);
  RunReport report;
  report.program = program[0];
  report.arguments.assign(program.begin() + 1, program.end());
  report.strategy = options.strategy;
  report.seed = options.seed;
  report.vacuous = vacuous;
  report.reason = error.line();
  report.exit_code = code;
  if (auto written = write_reports(options, report); !written) return fail(written.error());
  fail(error);
  return code;
}

// The frameworks' questions for the names of the tests.
bool asks_for_names(const Arguments& program) {
  constexpr std::string_view kQuestions[] = {"--gtest_list_tests", "--list-tests", "--list-test-names-only",
                                             "--list-test-cases"};
  return std::any_of(program.begin() + 1, program.end(), [&](const std::string& word) {
    return std::find(std::begin(kQuestions), std::end(kQuestions), word) != std::end(kQuestions);
  });
}

// Where every program of a project is started by `ravel run`, its build asks so too: nothing to explore.
int run_as_it_is(const Arguments& program) {
  std::vector<char*> argv;
  for (const std::string& word : program) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  return fail(Error{ErrorKind::kUsage, "cannot run the program", program[0], std::strerror(errno)});
}

// Options of the command line that ask for opposite things.
Result<void> check_contradictions(const RunOptions& options, const StrategyRow& row) {
  if (options.expect_complete && !row.searches_tree && !row.hosts_dpor && !row.follows_goal) {
    return usage_error("--expect-complete cannot be combined with strategy", std::string(row.name),
                       "it samples and never covers everything: use dpor, bounded or dfs");
  }
  return {};
}

std::optional<int> answer_at_once(const RunOptions& options, const CommandLine& line) {
  const Arguments& program = line.program;
  if (program.empty())
    return fail(Error{ErrorKind::kUsage, "no program given", "", "ravel run [options] ./program [arguments]"});
  if (asks_for_names(program)) return run_as_it_is(program);
  return run_free_if_asked(options, line);
}

Result<Suppressions> suppressions_of(const RunOptions& options) {
  Suppressions out;
  if (options.suppressions == "none") return out;
  auto shipped = shipped_suppressions();
  if (!shipped) return tl::make_unexpected(shipped.error());
  if (auto added = out.add_file(*shipped, true); !added) return tl::make_unexpected(added.error());
  if (options.suppressions.empty()) return out;
  if (auto added = out.add_file(options.suppressions, false); !added) return tl::make_unexpected(added.error());
  return out;
}

Result<void> begin_with_prefix(RunOptions& options, CampaignOptions& campaign) {
  if (options.prefix.empty()) return {};
  campaign.outcomes = kListOutcomes;
  options.saved_first = false;
  return force_sequence(options.prefix, campaign);
}

// A sequence that is forced, and a specification. Every sequence is to be judged, so no defect ends the campaign then.
Result<std::optional<Validity>> begin_with_files(RunOptions& options, CampaignOptions& campaign) {
  if (auto forced = begin_with_prefix(options, campaign); !forced) return tl::make_unexpected(forced.error());
  if (options.valid.empty()) return std::optional<Validity>();
  auto read = read_validity(options.valid);
  if (!read) return tl::make_unexpected(read.error());
  campaign.outcomes = kListSequences;
  campaign.keep_going = options.keep_going = true;
  return std::optional<Validity>(std::move(*read));
}

Result<void> judge_by(const std::optional<Validity>& valid, const RunOptions& options, const CampaignOptions& campaign,
                      RunReport& report) {
  if (!valid) return {};
  report.validity.specification = options.valid;
  if (auto judged = judge_sequences(*valid, campaign, report.campaign, options.output, report.validity); !judged) {
    return judged;
  }
  if (is_violated(report.validity)) report.exit_code = kExitDefect;
  if (report.exit_code == kExitClean && report.validity.not_judged != 0) {
    report.exit_code = kExitInconclusive;
    report.reason = fmt::format("{} sequences were not judged because the time ended", report.validity.not_judged);
  }
  return {};
}

// With a sequence as prefix: did an execution keep to it? What was found on the way is a finding all the same.
Result<void> check_prefix(const RunOptions& options, const CampaignResult& campaign) {
  const bool kept = std::any_of(campaign.outcomes.begin(), campaign.outcomes.end(),
                                [](const FoundOutcome& outcome) { return outcome.sequence_fits; });
  if (options.prefix.empty() || kept || campaign.interrupted || !campaign.found.empty()) return {};
  return cannot_test("no execution came to the end of the sequence", options.prefix,
                     "`ravel syn test' says where it ends");
}

// Saved plans first, then the campaign: within one time.
Result<void> explore(const RunOptions& options, const Arguments& program, const ProgramImage& image,
                     CampaignOptions& campaign, RunReport& report, ProgressLine& progress) {
  SavedPlans saved;
  if (options.saved_first && options.resume.empty()) saved = try_saved_plans(options, campaign, program);
  report.saved = saved.tried;
  if (!saved.found.empty() && !options.keep_going) {
    report.campaign = campaign_of(saved);
    return {};
  }
  if (campaign.budget.time.count() != 0) {
    const auto used = std::chrono::milliseconds(static_cast<std::int64_t>(saved.seconds * 1000));
    campaign.budget.time = std::max(campaign.budget.time - used, std::chrono::milliseconds(1));
  }
  const ProgressListener listener = [&](const CampaignResult& so_far) { progress.show(so_far); };
  auto result = find_strategy(options.strategy)->needs_target
                    ? search_slices(options, image, campaign, report.slice, listener)
                    : supervise_campaign(campaign, listener);
  if (!result) return tl::make_unexpected(result.error());
  report.campaign = std::move(*result);
  const std::size_t calls = report.campaign.calls.size();  // each has the whole time
  if (calls > 1) campaign.deadline.postpone((calls - 1) * campaign.budget.time);
  std::vector<FoundSeed>& found = report.campaign.found;
  found.insert(found.begin(), saved.found.begin(), saved.found.end());
  return check_prefix(options, report.campaign);
}

void say_what_was_covered(RunReport& report, const StrategyRow& row, const RunOptions& options) {
  report.by_default = !options.iterations && !options.time;
  const StrategyRow& covers = row.hosts_dpor ? *find_strategy("dpor") : row;
  if (row.searches_tree || report.campaign.complete) report.conventions = conventions_of(covers, options);
}

// Coverage under its names, in a file, and in the findings that it says something about.
Result<void> measure(RunReport& report, const RunOptions& options, const ProgramImage& image, const StrategyRow& row) {
  const std::shared_ptr<TaskCoverage> coverage = coverage_of_campaign(options, image, row, report.campaign);
  if (coverage == nullptr) return {};
  auto path = save_coverage(options, *coverage);
  if (!path) return tl::make_unexpected(path.error());
  constexpr std::size_t kMostSuspects = 3;
  for (Finding& finding : report.findings) {
    if (finding.detector.empty()) finding.suspects = suspects_of(*coverage, kMostSuspects);
  }
  report.coverage = coverage;
  report.coverage_file = *path;
  return {};
}

void take_goal(RunReport& report, GoalReport goal) {
  report.goal = std::move(goal);
  if (!report.slice.targets.empty()) {
    if (report.goal.reached) report.exit_code = kExitDefect;  // to come there is what was called an error
    return;
  }
  if (report.exit_code == kExitClean && !report.goal.reached) report.exit_code = kExitInconclusive;
}

void take_findings(RunReport& report, Confirmed& confirmed) {
  report.findings = std::move(confirmed.findings);
  report.potential = std::move(confirmed.potential);
  report.doubtful = std::move(confirmed.doubtful);
  report.not_confirmed = std::move(confirmed.not_confirmed);
}

void add_notes(RunReport& report, const std::vector<std::string>& of_options, const Confirmed& confirmed,
               const Suppressions& suppressions) {
  report.notes.insert(report.notes.end(), of_options.begin(), of_options.end());
  report.notes.insert(report.notes.end(), confirmed.notes.begin(), confirmed.notes.end());
  for (std::string& note : suppressions.notes()) report.notes.push_back(std::move(note));
}

// What was run, and how it ended.
void describe_run(RunReport& report, const RunOptions& options, const Arguments& program, const ProgramImage& image,
                  const Verdict& verdict) {
  report.vacuous = verdict.vacuous;
  report.reason = verdict.reason;
  report.exit_code = verdict.exit_code;
  report.program = image.path;
  report.arguments.assign(program.begin() + 1, program.end());
  report.build_id = image.build_id;
  report.strategy = options.strategy;
  report.seed = options.seed;
  report.points = options.points_name();
  report.timeouts = kTimeoutNames[static_cast<std::size_t>(options.base.timeouts)];
  report.jobs = options.jobs;
  report.shard_index = options.shard_index;
  report.shard_count = options.shard_count;
}

void append_said(std::vector<std::string>& notes, std::initializer_list<std::string> more) {
  for (const std::string& note : more) {
    if (!note.empty()) notes.push_back(note);
  }
}

// Milliseconds that the facts in use took.
std::uint32_t analysis_time(const RunOptions& options, const ProgramImage& image) {
  const std::string path = facts_file(options, image);
  return static_cast<std::uint32_t>(analysis_seconds(path) * 1e3 + 0.5);
}

// What was learned of pairs, beside the facts, for later runs of the same build.
void keep_pairs(const RunOptions& options, const ProgramImage& image, const std::vector<KeptPair>& pairs,
                std::vector<std::string>& notes) {
  if (options.facts == "none") return;
  append_said(notes, {write_kept_pairs(kept_pairs_path(facts_file(options, image)), pairs, image.build_id)});
}

// Of facts: how long they took, and what is kept beside them.
void take_facts(const RunOptions& options, const ProgramImage& image, const CampaignOptions& campaign,
                CampaignResult& result, std::vector<std::string>& notes) {
  keep_pairs(options, image, result.kept, notes);
  if (campaign.facts != nullptr) result.values.analysis = analysis_time(options, image);
}

// --self-check is a parameter of the strategy.
Result<void> check_itself(RunOptions& options) {
  if (!options.self_check) return {};
  const std::string_view name = std::string_view(options.strategy).substr(0, options.strategy.find(','));
  if (name != "reachability") return usage_error("--self-check needs --strategy reachability", std::string(name));
  if (options.strategy.find("self-check=") == std::string::npos) options.strategy += ",self-check=on";
  return {};
}

// What reachability testing could not force, in words; empty: nothing.
std::string divergence_of(const CampaignResult& result, const CampaignOptions& campaign,
                          const std::vector<Finding>& findings) {
  return result.divergence.found() ? divergence_text(result.divergence, campaign, findings) : std::string();
}
std::size_t count_races(const std::vector<Finding>& findings) {
  return static_cast<std::size_t>(std::count_if(findings.begin(), findings.end(),
                                                [](const Finding& one) { return one.kind == OutcomeKind::kDataRace; }));
}

Verdict judge_run(const CampaignResult& campaign, const Confirmed& confirmed, const RunOptions& options,
                  const StrategyRow& row, const LimitsReport& limits, const std::string& divergence) {
  return judge({campaign, confirmed.findings.size(), confirmed.not_confirmed.size(), row.promises(),
                options.expect_complete, options.allow_vacuous, options.verify, limits.difference, options.shard_index,
                confirmed.cut_short, count_races(confirmed.findings), confirmed.undecided, divergence});
}

}  // namespace

CommandPage run_page() {
  return configured_page(page_of(kSyntax, run_option_table()));
}

int run_command(const Arguments& args) {
  RunOptions options;
  const auto bound = bind_options(run_option_table(), options);
  CommandLine line;
  if (auto ended = start_command(kSyntax, bound, args, line)) return *ended;
  if (auto ended = answer_at_once(options, line)) return *ended;
  options.timelines = options.formats.draws();
  if (auto checked = check_itself(options); !checked) return fail(checked.error());
  auto setup = check_options(options);
  if (!setup) return fail(setup.error());
  const StrategyRow* row = setup->strategy;
  if (auto checked = check_contradictions(options, *row); !checked) return fail(checked.error());
  auto image = testable_program(line.program[0]);
  if (!image) return report_untestable(image.error(), options, line.program);

  auto suppressions = suppressions_of(options);
  if (!suppressions) return fail(suppressions.error());
  if (suppressions->concerns_outcomes()) options.keep_going = true;  // a suppressed finding must not end the campaign
  auto input = StandardInput::open(options.stdin_file);
  if (!input) return fail(input.error());
  if (auto found = find_jobs(options.coverage, options.coverage_jobs, image->path); !found) return fail(found.error());
  CampaignOptions campaign = campaign_options(options, line.program, *image, *input);
  auto regions = find_region_functions(options.regions, image->path);
  if (!regions) return fail(regions.error());
  campaign.program.regions = std::move(*regions);
  auto facts_note = use_facts(options, *image, campaign);
  if (!facts_note) return fail(facts_note.error());
  auto valid = begin_with_files(options, campaign);
  if (!valid) return fail(valid.error());
  RunReport report;
  ProgressLine progress(!options.quiet);
  if (auto explored = explore(options, line.program, *image, campaign, report, progress); !explored) {
    progress.clear();
    return report_untestable(explored.error(), options, line.program);
  }
  take_facts(options, *image, campaign, report.campaign, setup->notes);
  Confirmed confirmed = confirm_findings(options, campaign, *image, *input, report.campaign, *suppressions,
                                         [&](const WorkProgress& so_far) { progress.show(so_far); });
  progress.clear();

  LimitsReport limits = describe_limits(report.campaign.limits);
  const std::string diverged = divergence_of(report.campaign, campaign, confirmed.findings);
  const Verdict verdict = judge_run(report.campaign, confirmed, options, *row, limits, diverged);
  describe_run(report, options, line.program, *image, verdict);
  say_what_was_covered(report, *row, options);
  take_findings(report, confirmed);
  report.notes = campaign_notes(report.campaign);
  append_said(setup->notes, {input->note(), *facts_note, verdict.reason == diverged ? std::string() : diverged});
  add_notes(report, setup->notes, confirmed, *suppressions);
  report.uncontrolled = std::move(limits.uncontrolled);
  report.first_difference = std::move(limits.difference);
  if (!options.goal.empty() || !report.slice.targets.empty()) {
    take_goal(report, keep_goal(options, campaign, *image, *input, report.campaign, confirmed.warnings));
  }
  if (auto judged = judge_by(*valid, options, campaign, report); !judged) return fail(judged.error());
  if (auto measured = measure(report, options, *image, *row); !measured) return fail(measured.error());
  print_report(report, verdict, options, confirmed.warnings);
  report.notes.insert(report.notes.end(), confirmed.warnings.begin(), confirmed.warnings.end());
  return write_and_end(options, report);
}

}  // namespace ravel
