// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel noise`: configurations of noise compared, and which of it a failure needs.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "cli/configuration.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/run_options.h"
#include "driver/interrupt.h"
#include "driver/layout.h"
#include "investigate/noise_compare.h"
#include "investigate/noise_minimise.h"
#include "model/text/near_names.h"
#include "model/text/printable.h"
#include "model/text/words.h"
#include "report/console.h"
#include "report/ratio.h"

namespace ravel {
namespace {

constexpr CommandSyntax kSyntax = {
    "noise", "compare|minimize|blame [options] [--] PROGRAM [ARGUMENTS...]",
    "Noise of free-running mode. compare: each seeding, frequency and placement against no noise. minimize: the places "
    "that have to be noised for the failure to show. blame: the places whose noise goes with the failure.",
    ProgramStartsAt::kDoubleDash,
    "0 done, or no failure; 1 a failure showed (minimize, blame), 2 usage, 3 could not test, 130 interrupted"};

struct NoiseOptions {
  std::optional<std::uint64_t> runs;
  std::optional<std::chrono::milliseconds> time;
  std::string noise = "random";
  std::uint64_t seed = 1;
  std::chrono::milliseconds hang{10'000};
  int expect_exit = 0;
  std::string output;
  std::string json;
};

using N = NoiseOptions;
using S = const std::string&;

constexpr OptionRow<NoiseOptions> kRows[] = {
    {"--runs", "N", "of each configuration (default: compare 20, minimize 20 a step, blame 200)",
     [](N& o, S v) {
       o.runs = number_of<std::uint64_t>(v);
       return std::string(o.runs && *o.runs != 0 ? "" : "not a number in range");
     }},
    {"--time", "T", "end after this time, with what is known by then",
     [](N& o, S v) {
       o.time = parse_duration(v);
       return std::string(o.time ? "" : "not a time such as 500ms, 10s or 2m");
     }},
    {"--noise", "random|SEEDING[,K=V]", "minimize, blame: as of `ravel run --free' (default random)",
     [](N& o, S v) {
       o.noise = v;
       auto noise = parse_noise(v);
       return noise ? std::string() : noise.error().line();
     }},
    {"--seed", "N", "seed of the noise (default 1)",
     [](N& o, S v) {
       const auto seed = number_of<std::uint64_t>(v);
       if (seed) o.seed = *seed;
       return std::string(seed ? "" : "not a number in range");
     }},
    {"--hang", "T", "a run that does not move for this long is a hang (default 10s)", set_duration<&N::hang>},
    {"--expect-exit", "N", "the exit status of a run that went well (default 0)",
     [](N& o, S v) {
       const auto status = number_of<std::uint32_t>(v, 255);
       if (status) o.expect_exit = static_cast<int>(*status);
       return std::string(status ? "" : "not an exit status");
     }},
    {"--output", "FILE", "minimize: the list of places (default .ravel/PROGRAM.places)", set_text<&N::output>},
    {"--json", "FILE", "compare: write all figures as JSON (`-': stdout)", set_text<&N::json>},
};

Result<FreeCampaignRequest> request_of(const NoiseOptions& options, const Arguments& program, const ProgramImage& image,
                                       std::uint64_t runs) {
  FreeCampaignRequest request;
  auto folder = runtime_directory();
  if (!folder) return tl::make_unexpected(folder.error());
  request.run.library = (std::filesystem::path(*folder) / kFreeLibraryName).string();
  request.run.program.path = image.path;
  request.run.program.argv = program;
  request.run.hang = options.hang;
  request.run.expect_exit = options.expect_exit;
  request.seed = options.seed;
  request.runs = options.runs.value_or(runs);
  if (options.time) request.run.deadline = Deadline(Clock::now() + *options.time);
  auto noise = parse_noise(options.noise);
  if (!noise) return tl::make_unexpected(noise.error());
  request.noise = *noise;
  return request;
}

int compare(const NoiseOptions& options, const Arguments& program, const ProgramImage& image) {
  constexpr std::uint64_t kRuns = 20;
  const auto request = request_of(options, program, image, kRuns);
  if (!request) return fail(request.error());
  const auto show = [&](const NoiseMeasure& one) {
    fmt::print(stderr, "{}: {} of {} runs fail, {:.4f} s\n", one.config.text(), one.failed, one.runs, one.seconds);
  };
  const auto result = compare_noise(*request, image, show);
  if (!result) return fail(result.error());
  if (result->none.runs == 0) {
    return fail(Error{ErrorKind::kCannotTest, "no run came to an end", image.path, "--hang gives it longer"});
  }
  fmt::print(options.json == "-" ? stderr : stdout, "{}", comparison_text(*result));
  if (!options.json.empty()) {
    if (auto written = write_output(options.json, comparison_json(*result, image)); !written) {
      return fail(written.error());
    }
  }
  return InterruptGuard::interrupted() ? kExitInterrupted : kExitClean;
}

int minimize(const NoiseOptions& options, const Arguments& program, const ProgramImage& image) {
  const auto request = request_of(options, program, image, kMinimiseRuns);
  if (!request) return fail(request.error());
  std::string file = options.output;
  if (file.empty()) {
    std::error_code ignored;
    std::filesystem::create_directory(".ravel", ignored);
    file = fmt::format(".ravel/{}.places", std::filesystem::path(image.path).filename().string());
  }
  const auto found = minimise_noise(*request, image, file);
  if (!found) return fail(found.error());
  fmt::print("all places: {} of {} runs fail ({})\n", found->failed, found->runs,
             interval_text(found->failed, found->runs));
  if (found->failed == 0) {
    fmt::print("nothing to minimise: another --noise or more --runs may show a failure\n");
    return InterruptGuard::interrupted() ? kExitInterrupted : kExitClean;
  }
  fmt::print("{} of {} left after {}, {} of {} runs fail ({}): {}\n", found->places.size(),
             grouped(found->all.size(), "place"), grouped(found->steps, "step"), found->failed_left, found->runs_left,
             interval_text(found->failed_left, found->runs_left), printable_line(file));
  for (const std::string& place : found->places) fmt::print("  {}\n", printable_line(place));
  if (!found->complete) fmt::print("not complete: there was no more time\n");
  return InterruptGuard::interrupted() ? kExitInterrupted : kExitDefect;
}

int blame(const NoiseOptions& options, const Arguments& program, const ProgramImage& image) {
  constexpr std::uint64_t kRuns = 200;
  const auto request = request_of(options, program, image, kRuns);
  if (!request) return fail(request.error());
  auto result = run_free_campaign(*request, image);
  if (!result) return fail(result.error());
  const FreeReport& report = result->report;
  if (!report.reason.empty()) return fail(Error{ErrorKind::kCannotTest, report.reason, image.path, ""});
  fmt::print("{} of {} fail ({})\n", report.failed, grouped(report.runs, "run"),
             interval_text(report.failed, report.runs));
  for (const FreeFinding& finding : report.findings) {
    fmt::print("{}  {}  {}\n", outcome_name(finding.kind), printable_line(finding.message), finding.location.text);
    for (const NoiseBlame& one : finding.blame) {
      fmt::print("  noise at {}: in {} of {} failing, {} of {} passing runs (p {:.2g})\n", one.place, one.failing_with,
                 one.failing, one.passing_with, one.passing, one.p);
    }
    if (finding.blame.empty()) fmt::print("  no place stands out: a lower freq= or more --runs tells places apart\n");
  }
  if (report.interrupted) return kExitInterrupted;
  return report.failed != 0 ? kExitDefect : kExitClean;
}

struct Action {
  std::string_view name;
  int (*run)(const NoiseOptions& options, const Arguments& program, const ProgramImage& image);
};
constexpr Action kActions[] = {{"compare", compare}, {"minimize", minimize}, {"blame", blame}};

}  // namespace

CommandPage noise_page() {
  return configured_page(page_of(kSyntax, std::span<const OptionRow<NoiseOptions>>(kRows)));
}

int noise_command(const Arguments& args) {
  NoiseOptions options;
  const auto bound = bind_options(std::span<const OptionRow<NoiseOptions>>(kRows), options);
  CommandLine line;
  if (auto ended = start_command(kSyntax, bound, args, line)) return *ended;
  const std::string what = line.positional.empty() ? "" : line.positional[0];
  std::vector<std::string_view> names;
  const Action* chosen = nullptr;
  for (const Action& action : kActions) {
    names.push_back(action.name);
    if (action.name == what) chosen = &action;
  }
  if (chosen == nullptr) {
    return fail(Error{ErrorKind::kUsage, what.empty() ? "what is to be done is missing" : "unknown action: " + what, "",
                      near_hint(what, names, "compare, minimize or blame")});
  }
  Arguments program(line.positional.begin() + 1, line.positional.end());
  program.insert(program.end(), line.program.begin(), line.program.end());
  if (program.empty()) {
    return fail(Error{ErrorKind::kUsage, "no program given", "", fmt::format("ravel noise {} ./program", what)});
  }
  auto image = testable_program(program[0]);
  if (!image) return fail(image.error());
  const InterruptGuard guard;
  return chosen->run(options, program, *image);
}

}  // namespace ravel
