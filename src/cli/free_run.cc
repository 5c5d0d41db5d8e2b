// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cli/free_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>

#include "cli/output.h"
#include "driver/layout.h"
#include "investigate/free_campaign.h"
#include "investigate/heal_plan.h"
#include "investigate/measure_coverage.h"
#include "investigate/pin.h"
#include "investigate/run_file.h"
#include "investigate/standard_input.h"
#include "report/console.h"
#include "report/free_defects.h"

namespace ravel {
namespace {

constexpr std::chrono::milliseconds kPinTime{10'000};

struct ModeRow {
  std::string_view option;
  std::string_view reason;
};

constexpr std::string_view kFreeOnly[] = {"--runs", "--until-failure", "--noise", "--pin", "--heal"};
// What works in both modes.
constexpr std::string_view kBoth[] = {"--seed",         "--time",   "--hang",   "--expect-exit", "--allow-vacuous",
                                      "--stdin",        "--saved",  "--json",   "--quiet",       "--color",
                                      "--show-output",  "--output", "--detect", "--coverage",    "--coverage-identity",
                                      "--coverage-file"};
constexpr ModeRow kReasons[] = {
    {"--strategy", "the operating system schedules; --noise disturbs it"},
    {"--points", "there are no scheduling points"},
    {"--timeouts", "time is the machine's; --noise SEEDING,tt shortens sleeps"},
    {"--iterations", "--runs N counts free runs"},
    {"--jobs", "runs come one after the other: the program has its threads in parallel"},
};

std::string_view reason_of(std::string_view option) {
  const auto* row =
      std::find_if(std::begin(kReasons), std::end(kReasons), [&](const ModeRow& one) { return one.option == option; });
  return row != std::end(kReasons) ? row->reason : "it is an option of controlled mode";
}

template <class Table>
bool has(const Table& table, std::string_view word) {
  return std::find(std::begin(table), std::end(table), word) != std::end(table);
}

void show_progress(const FreeReport& so_far) {
  fmt::print(stderr, "\r{} runs, {} failed ", so_far.runs, so_far.failed);
  std::fflush(stderr);
}

void print_free_report(const FreeReport& report, const RunOptions& options) {
  const FreeText how{style_for(options.color, STDOUT_FILENO), !options.show_output};
  std::FILE* out = options.json == "-" ? stderr : stdout;
  if (!options.quiet) fmt::print(out, "{}", free_summary(report, how.style));
  for (const FreeFinding& finding : report.findings) fmt::print(out, "{}", free_finding_text(finding, report, how));
  if (!report.reason.empty()) {
    fmt::print(stderr, "ravel: {}{}\n", report.vacuous ? "nothing was tested: " : "", report.reason);
  }
}

// Nothing is looked for unless it was asked for: an access then costs one increment.
Result<void> set_detectors_of(const RunOptions& options, FreeCampaignRequest& request) {
  if (!options.names_detectors || options.detectors == 0) return {};
  request.detectors = options.detectors & free_detectors();
  const std::string off = not_in_free_mode(options.detectors);
  if (request.detectors == 0) {
    return usage_error("--detect names nothing that works with --free", off,
                       "these need the exact order of accesses, or another schedule; data-race and overlap do not");
  }
  if (!off.empty() && !options.quiet) {
    fmt::print(stderr, "ravel: off in free-running mode, since the order of accesses is not exact: {}\n", off);
  }
  return {};
}

Result<FreeCampaignRequest> request_of(const RunOptions& options, const Arguments& program, const ProgramImage& image,
                                       const StandardInput& input) {
  FreeCampaignRequest request;
  auto folder = runtime_directory();
  if (!folder) return tl::make_unexpected(folder.error());
  request.run.library = (std::filesystem::path(*folder) / kFreeLibraryName).string();
  request.run.program.path = image.path;
  request.run.program.argv = program;
  request.run.program.stdin_path = input.path();
  request.run.program.pass_output = options.show_output;
  request.run.hang = options.hang;
  request.run.expect_exit = options.expect_exit;
  if (!options.noise.empty()) {
    auto noise = parse_noise(options.noise);
    if (!noise) return tl::make_unexpected(noise.error());
    request.noise = *noise;
  }
  request.seed = options.seed;
  request.until_failure = options.until_failure;
  request.allow_vacuous = options.allow_vacuous;
  if (auto set = set_detectors_of(options, request); !set) return tl::make_unexpected(set.error());
  request.coverage = options.coverage;
  if (!options.heal.empty()) {
    auto healing = heal_plan(options.heal, image);
    if (!healing) return tl::make_unexpected(healing.error());
    request.heal = healing->sections;
    if (!options.quiet) {
      fmt::print(stderr, "healing: one thread at a time from {} on\n", fmt::join(healing->places, ", "));
    }
  }
  request.runs = options.runs.value_or(options.time || options.until_failure ? 0 : kDefaultFreeRuns);
  if (options.time) {
    request.run.deadline = Deadline(Clock::now() + *options.time);
  } else if (!options.runs && options.until_failure) {
    request.run.deadline = Deadline(Clock::now() + kDefaultUntilFailure);
  }
  return request;
}

int report_problem(const Error& error, const RunOptions& options, const Arguments& program) {
  FreeReport report;
  report.program = program[0];
  report.arguments.assign(program.begin() + 1, program.end());
  report.seed = options.seed;
  report.vacuous = error.kind == ErrorKind::kCannotTest;
  report.reason = error.line();
  report.exit_code = report.vacuous && options.allow_vacuous ? kExitClean : exit_code_of(error);
  if (!options.json.empty()) {
    if (auto written = write_output(options.json, free_json(report)); !written) return fail(written.error());
  }
  fail(error);
  return report.exit_code;
}

Result<void> check_mode(const RunOptions& options, const CommandLine& line) {
  for (const GivenOption& given : line.given) {
    if (!given.where.empty() || given.name == "--free") continue;  // files and the environment speak for both modes
    if (!options.free && has(kFreeOnly, given.name)) {
      return usage_error(fmt::format("{} needs --free", given.name), "", "it is about runs on real threads");
    }
    if (options.free && !has(kFreeOnly, given.name) && !has(kBoth, given.name)) {
      return usage_error(fmt::format("{} cannot be used with --free", given.name), "",
                         std::string(reason_of(given.name)));
    }
  }
  return {};
}

// What controlled executions look for as well.
bool is_a_race_pair(const FreeFinding& finding) {
  return finding.detector == "data-race" || finding.detector == "overlap";
}

// Each failure in a file, and as a plan if that was asked for. What cannot be saved is a warning beside the finding.
void keep_failures(FreeCampaignResult& result, const RunOptions& options, const CommandLine& line,
                   const ProgramImage& image, const StandardInput& input) {
  PinRequest request{options, line.program, image, input, options.time.value_or(kPinTime)};
  for (const FreeFailureSeen& seen : result.first) {
    FreeFinding& finding = result.report.findings[seen.finding];
    const PinTarget target = pin_target(finding, seen.record, request);
    RunFile run{image.path,     result.report.arguments, input.in_memory() ? "" : input.path(),
                image.build_id, options.expect_exit,     target};
    auto saved = save_run(run, options.output);
    if (saved) {
      finding.run_file = *saved;
    } else {
      fmt::print(stderr, "ravel: warning: {}\n", saved.error().line());
    }
    const bool is_race = finding.kind == OutcomeKind::kDataRace && is_a_race_pair(finding);
    if (!options.pin || (!finding.detector.empty() && !is_race)) continue;
    auto pinned = pin_failure(target, request);
    if (pinned) {
      finding.pin = *pinned;
    } else {
      fmt::print(stderr, "ravel: warning: {}\n", pinned.error().line());
    }
  }
}

int run_free_runs(const RunOptions& options, const CommandLine& line) {
  auto image = testable_program(line.program[0]);
  if (!image) return report_problem(image.error(), options, line.program);
  auto input = StandardInput::open(options.stdin_file);
  if (!input) return fail(input.error());
  auto request = request_of(options, line.program, *image, *input);
  if (!request) return fail(request.error());
  const bool shows = !options.quiet && isatty(STDERR_FILENO) != 0;
  auto result = run_free_campaign(*request, *image, shows ? FreeListener(show_progress) : FreeListener());
  if (shows) fmt::print(stderr, "\r\x1b[K");
  if (!result) return report_problem(result.error(), options, line.program);
  FreeReport& report = result->report;
  keep_failures(*result, options, line, *image, *input);
  if (result->coverage) {
    auto path = save_coverage(options, *result->coverage);
    if (!path) return fail(path.error());
    report.coverage.file = *path;
  }
  print_free_report(report, options);
  if (options.json.empty()) return report.exit_code;
  auto written = write_output(options.json, free_json(report));
  if (written) return report.exit_code;
  const int code = fail(written.error());
  return report.exit_code == kExitDefect ? report.exit_code : code;
}

}  // namespace

std::optional<int> run_free_if_asked(const RunOptions& options, const CommandLine& line) {
  if (auto checked = check_mode(options, line); !checked) return fail(checked.error());
  if (!options.free) return std::nullopt;
  return run_free_runs(options, line);
}

}  // namespace ravel
