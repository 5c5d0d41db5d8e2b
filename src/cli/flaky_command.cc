// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel flaky`: every test of a program many times on real threads under noise, ranked by how often it fails.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "cli/command.h"
#include "cli/configuration.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/run_options.h"
#include "driver/interrupt.h"
#include "driver/layout.h"
#include "investigate/free_campaign.h"
#include "investigate/pin.h"
#include "investigate/run_file.h"
#include "investigate/test_list.h"
#include "model/text/words.h"
#include "report/flaky_report.h"

namespace ravel {
namespace {

constexpr CommandSyntax kSyntax = {"flaky", "[options] [--] PROGRAM [ARGUMENTS...]",
                                   "Runs each test of PROGRAM (GoogleTest, Catch2, doctest) on real threads under "
                                   "noise, ranks them by how often they fail, and pins the failures.",
                                   ProgramStartsAt::kFirstWord,
                                   "0 no test failed, 1 a test failed, 2 usage, 3 could not test, 130 interrupted"};

constexpr std::chrono::milliseconds kPinTime{10'000};

struct FlakyOptions {
  std::optional<std::uint64_t> runs;
  std::optional<std::chrono::milliseconds> time;
  std::string noise = "random";
  std::string filter;
  std::uint64_t seed = 1;
  std::chrono::milliseconds hang{10'000};
  std::string output = ".ravel";
  std::string json;
  bool pins = true;
};

using F = FlakyOptions;
using S = const std::string&;

std::string set_duration(std::optional<std::chrono::milliseconds>& field, S value) {
  field = parse_duration(value);
  return field ? "" : "not a time such as 500ms, 10s or 2m";
}

std::string set_count(std::uint64_t& field, S value, std::uint64_t least) {
  const auto number = number_of<std::uint64_t>(value, ~std::uint64_t{0});
  if (number && *number >= least) field = *number;
  return number && *number >= least ? "" : "not a number in range";
}

constexpr OptionRow<FlakyOptions> kRows[] = {
    {"--runs", "N", "runs of each test (default 100; none when --time is given)",
     [](F& o, S v) {
       o.runs = 0;
       return set_count(*o.runs, v, 1);
     }},
    {"--time", "T", "time for all tests together: each gets an equal share",
     [](F& o, S v) { return set_duration(o.time, v); }},
    {"--noise", "random|SEEDING[,K=V]", "as of `ravel run --free' (default random); none: no noise",
     [](F& o, S v) {
       o.noise = v;
       if (v == "none") return std::string();
       auto noise = parse_noise(v);
       return noise ? std::string() : noise.error().line();
     }},
    {"--tests", "TEXT", "only tests whose name contains TEXT",
     [](F& o, S v) {
       o.filter = v;
       return std::string();
     }},
    {"--seed", "N", "seed of the noise (default 1)", [](F& o, S v) { return set_count(o.seed, v, 0); }},
    {"--hang", "T", "a run that does not move for this long is a hang (default 10s)",
     [](F& o, S v) {
       std::optional<std::chrono::milliseconds> time;
       std::string problem = set_duration(time, v);
       if (time) o.hang = *time;
       return problem;
     }},
    {"--no-pin", "", "do not search for schedules that fail the same way",
     [](F& o, S) {
       o.pins = false;
       return std::string();
     }},
    {"--output", "DIR", "where runs and plans are saved (default .ravel)", set_text<&F::output>},
    {"--json", "FILE", "write the result as JSON (`-': stdout)", set_text<&F::json>},
};

Result<FreeCampaignRequest> common_request(const FlakyOptions& options, const Arguments& program,
                                           const ProgramImage& image) {
  FreeCampaignRequest request;
  auto folder = runtime_directory();
  if (!folder) return tl::make_unexpected(folder.error());
  request.run.library = (std::filesystem::path(*folder) / kFreeLibraryName).string();
  request.run.program.path = image.path;
  request.run.program.argv = program;
  request.run.hang = options.hang;
  request.seed = options.seed;
  request.coverage.metrics = metric_bit(MetricId::kAvioStar);  // what runs that fail have and others have not
  if (options.noise != "none") {
    auto noise = parse_noise(options.noise);
    if (!noise) return tl::make_unexpected(noise.error());
    request.noise = *noise;
  }
  return request;
}

Result<std::vector<ListedTest>> list_tests(const FreeCampaignRequest& common, const ProgramImage& image) {
  const auto framework = framework_of(image);
  if (!framework) {
    return cannot_test("no test framework found in the program", image.path,
                       "flaky knows GoogleTest, Catch2 and doctest; `ravel run --free' runs any program");
  }
  FreeRunOptions run = common.run;
  for (const std::string& word : list_question(*framework)) run.program.argv.push_back(word);
  auto record = run_free(run, FreeRequest{});
  if (!record) return tl::make_unexpected(record.error());
  return parse_test_list(*framework, record->stdout_text);
}

void pin_findings(FreeCampaignResult& result, const FlakyOptions& options, const Arguments& program,
                  const ProgramImage& image, const StandardInput& input) {
  PinRequest request{{}, program, image, input, kPinTime};
  request.base.seed = options.seed;
  request.base.output = options.output;
  for (const FreeFailureSeen& seen : result.first) {
    FreeFinding& finding = result.report.findings[seen.finding];
    const PinTarget target = pin_target(finding, seen.record, request);
    auto saved = save_run({image.path, result.report.arguments, "", image.build_id, 0, target}, options.output);
    if (saved) finding.run_file = *saved;
    if (!options.pins || InterruptGuard::interrupted()) continue;
    if (auto pinned = pin_failure(target, request)) finding.pin = *pinned;
  }
}

Result<void> run_tests(const FlakyOptions& options, const Arguments& program, const ProgramImage& image,
                       FlakyReport& report) {
  auto common = common_request(options, program, image);
  if (!common) return tl::make_unexpected(common.error());
  auto tests = list_tests(*common, image);
  if (!tests) return tl::make_unexpected(tests.error());
  std::erase_if(*tests, [&](const ListedTest& test) { return test.name.find(options.filter) == std::string::npos; });
  if (tests->empty()) return cannot_test("the program lists no such test", image.path, "--tests TEXT chooses by name");
  const StandardInput input;
  const InterruptGuard guard;
  for (const ListedTest& test : *tests) {
    FreeCampaignRequest request = *common;
    Arguments words = program;
    words.push_back(test.selection);
    request.run.program.argv = words;
    request.runs = options.runs.value_or(options.time ? 0 : kDefaultFreeRuns);
    if (options.time) request.run.deadline = Deadline(Clock::now() + *options.time / tests->size());
    auto result = run_free_campaign(request, image);
    if (!result) return tl::make_unexpected(result.error());
    pin_findings(*result, options, words, image, input);
    report.tests.push_back({test.name, std::move(result->report)});
    if (InterruptGuard::interrupted()) break;
  }
  return {};
}

ExitCode exit_code_of_tests(const FlakyReport& report) {
  bool tested = false;
  for (const FlakyTest& test : report.tests) {
    if (test.report.failed != 0) return kExitDefect;
    tested = tested || test.report.exit_code == kExitClean;
  }
  return InterruptGuard::interrupted() ? kExitInterrupted : tested ? kExitClean : kExitCannotTest;
}

}  // namespace

CommandPage flaky_page() {
  return configured_page(page_of(kSyntax, std::span<const OptionRow<FlakyOptions>>(kRows)));
}

int flaky_command(const Arguments& args) {
  FlakyOptions options;
  const auto bound = bind_options(std::span<const OptionRow<FlakyOptions>>(kRows), options);
  CommandLine line;
  if (auto ended = start_command(kSyntax, bound, args, line)) return *ended;
  if (line.program.empty()) {
    return fail(Error{ErrorKind::kUsage, "no program given", "", "ravel flaky [options] ./all_tests"});
  }
  auto image = testable_program(line.program[0]);
  if (!image) return fail(image.error());
  FlakyReport report;
  report.program = image->path;
  const Clock::time_point started = Clock::now();
  if (auto ran = run_tests(options, line.program, *image, report); !ran) return fail(ran.error());
  report.seconds = std::chrono::duration<double>(Clock::now() - started).count();
  rank_tests(report);
  report.exit_code = exit_code_of_tests(report);
  fmt::print(options.json == "-" ? stderr : stdout, "{}", flaky_text(report));
  if (options.json.empty()) return report.exit_code;
  if (auto written = write_output(options.json, flaky_json(report)); !written) return fail(written.error());
  return report.exit_code;
}

}  // namespace ravel
