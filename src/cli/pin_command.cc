// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel pin`: a failure that a free run showed, as a plan that replays.
#include <fmt/format.h>

#include <cstdio>

#include "cli/command.h"
#include "cli/configuration.h"
#include "cli/options.h"
#include "cli/run_options.h"
#include "investigate/run_file.h"
#include "model/exit_code.h"
#include "model/text/printable.h"
#include "report/console.h"

namespace ravel {
namespace {

constexpr CommandSyntax kSyntax = {
    "pin", "[options] RUN [-- PROGRAM [ARGUMENTS...]]",
    "Searches for a schedule that fails as the free run RUN did, and saves it as a plan.", ProgramStartsAt::kDoubleDash,
    "0 the failure did not show, 1 pinned, 2 usage, 3 could not test, 130 interrupted"};

struct PinOptions {
  std::chrono::milliseconds time{10'000};
  std::uint64_t seed = 1;
  std::string output = ".ravel";
};

using P = PinOptions;
using S = const std::string&;
constexpr OptionRow<PinOptions> kRows[] = {
    {"--time", "T", "for each way of searching (default 10s)", set_duration<&P::time>},
    {"--seed", "N", "seed of the searches (default 1)",
     [](P& o, S v) {
       char* end = nullptr;
       o.seed = std::strtoull(v.c_str(), &end, 10);
       return std::string(!v.empty() && *end == 0 ? "" : "not a number");
     }},
    {"--output", "DIR", "where the plan is saved (default .ravel)", set_text<&P::output>},
};

int print(const PinReport& report, const RunFile& run) {
  if (report.pinned) {
    fmt::print("pinned: {} `{}' after {} ({}), replayed {} of {}: {}\n", outcome_name(run.target.kind),
               printable_line(run.target.message), grouped(report.executions, "controlled run"), report.by,
               report.reproduced, report.replays, printable_line(report.plan));
    return kExitDefect;
  }
  fmt::print("not pinned: {} did not show it; nearest: {}\n", grouped(report.executions, "controlled run"),
             printable_line(report.nearest));
  return kExitClean;
}

}  // namespace

CommandPage pin_page() {
  return configured_page(page_of(kSyntax, std::span<const OptionRow<PinOptions>>(kRows)));
}

int pin_command(const Arguments& args) {
  PinOptions options;
  const auto bound = bind_options(std::span<const OptionRow<PinOptions>>(kRows), options);
  CommandLine line;
  if (auto ended = start_command(kSyntax, bound, args, line)) return *ended;
  if (line.positional.size() != 1) {
    return fail(Error{ErrorKind::kUsage, "no run given", "", "ravel pin .ravel/PROGRAM-1.run"});
  }
  auto run = read_run(line.positional[0]);
  if (!run) return fail(run.error());
  std::vector<std::string> program = line.program;
  if (program.empty()) {
    program = {run->program};
    program.insert(program.end(), run->arguments.begin(), run->arguments.end());
  }
  auto image = testable_program(program[0]);
  if (!image) return fail(image.error());
  auto input = StandardInput::open(run->stdin_path);
  if (!input) return fail(input.error());
  PinRequest request{{}, program, *image, *input, options.time};
  request.base.seed = options.seed;
  request.base.output = options.output;
  request.base.expect_exit = run->expect_exit;
  auto report = pin_failure(run->target, request);
  if (!report) return fail(report.error());
  return print(*report, *run);
}

}  // namespace ravel
