// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel confirm`: drives executions into what warnings claim, and says of each whether it is real.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "cli/command.h"
#include "cli/configuration.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/run_options.h"
#include "investigate/analyse_program.h"
#include "investigate/confirm_report.h"
#include "investigate/confirm_warnings.h"
#include "investigate/foreign_warnings.h"
#include "model/exit_code.h"
#include "model/text/printable.h"
#include "model/text/words.h"
#include "report/style.h"

namespace ravel {
namespace {

struct ConfirmOptions : CampaignRequest {
  std::string json;
  std::string sarif;
  ColorMode color = ColorMode::kAuto;
};

using O = ConfirmOptions;
using S = const std::string&;
constexpr OptionRow<ConfirmOptions> kRows[] = {
    {"--time", "T", "time for all warnings together: 500ms, 10s, 2m (default 10s)",
     [](O& o, S v) {
       o.time = parse_duration(v);
       return std::string(o.time ? "" : "not a time such as 500ms, 10s or 2m");
     },
     nullptr},
    {"--seed", "N", "seed of the searches (default 1)",
     [](O& o, S v) {
       const auto seed = number_of<std::uint64_t>(v);
       o.seed = seed.value_or(1);
       return std::string(seed ? "" : "not a number in range");
     },
     nullptr},
    {"--expect-exit", "N", "exit status of a good execution (default 0)",
     [](O& o, S v) {
       const auto status = number_of<int>(v, 255);
       o.expect_exit = status.value_or(0);
       return std::string(status ? "" : "not a number in range");
     },
     nullptr},
    {"--stdin", "FILE", "standard input of every execution (default: that of ravel, if redirected)",
     set_text<&O::stdin_file>, nullptr},
    {"--output", "DIR", "where plans and facts are kept (default .ravel)", set_text<&O::output>, nullptr},
    {"--json", "FILE", "write the verdicts as JSON (`-': stdout)", set_text<&O::json>, nullptr},
    {"--sarif", "FILE", "write the warnings as SARIF 2.1.0 with their verdicts (`-': stdout)", set_text<&O::sarif>,
     nullptr},
    {"--color", "WHEN", "auto, always or never (default auto)", [](O& o, S v) { return set_color(o.color, v); },
     nullptr},
};

constexpr CommandSyntax kSyntax = {
    "confirm", "[options] PROGRAM  |  confirm [options] [WARNINGS...] -- PROGRAM [ARGUMENTS...]",
    "Drives executions of PROGRAM into what each warning claims: those of its static facts, which are made if they are "
    "not there, or those of files that other tools wrote (logs of ThreadSanitizer, XML of Helgrind and DRD, SARIF, "
    "lists "
    "of file:line).",
    ProgramStartsAt::kDoubleDash,
    "0 nothing confirmed, 1 a warning is real, 2 usage, 3 could not test, 4 internal error"};

std::string styled(WarningEnd end, const Style& style) {
  switch (end) {
    case WarningEnd::kHarmful:
      return style.bad("HARMFUL");
    case WarningEnd::kReal:
      return style.bad("REAL");
    case WarningEnd::kNotConfirmed:
      return style.warn("NOT CONFIRMED");
    case WarningEnd::kCannotHappen:
      return style.good("CANNOT HAPPEN");
  }
  return {};
}

void print(const ConfirmReport& report, const Style& style, std::FILE* out) {
  for (std::size_t i = 0; i < report.warnings.size(); ++i) {
    fmt::print(out, "warning {}  {}  {}\n", i + 1, styled(report.verdicts[i].end, style),
               printable_line(verdict_text(report.warnings[i], report.verdicts[i])));
  }
  for (const std::string& note : report.notes) fmt::print(stderr, "note: {}\n", printable_line(note));
}

// Warnings of the files, or of the facts.
Result<std::vector<WarningToConfirm>> warnings_for(const Arguments& files, const Facts& facts, ConfirmReport& report) {
  if (files.empty()) return warnings_of(facts);
  std::vector<WarningToConfirm> all;
  for (const std::string& file : files) {
    auto read = read_foreign_warnings(file);
    if (!read) return tl::make_unexpected(read.error());
    for (std::string& note : read->notes) report.notes.push_back(file + ": " + std::move(note));
    for (WarningToConfirm& one : to_confirm(*read, facts)) all.push_back(std::move(one));
    report.originals.push_back(std::move(*read));
  }
  return all;
}

}  // namespace

CommandPage confirm_page() {
  return configured_page(page_of(kSyntax, std::span<const OptionRow<ConfirmOptions>>(kRows)));
}

int confirm_command(const Arguments& args) {
  ConfirmOptions options;
  const auto bound = bind_options(std::span<const OptionRow<ConfirmOptions>>(kRows), options);
  CommandLine line;
  if (auto ended = start_command(kSyntax, bound, args, line)) return *ended;
  Arguments program = line.program;
  Arguments files = line.positional;
  if (program.empty()) std::swap(program, files);
  if (program.empty()) return fail(Error{ErrorKind::kUsage, "a program is needed", "", "ravel confirm ./PROGRAM"});
  AnalysisRequest analysis;
  analysis.output = options.output;
  ConfirmReport report;
  auto known = facts_of_program(program[0], analysis, report.notes);
  if (!known) return fail(known.error());
  auto warnings = warnings_for(files, known->facts, report);
  if (!warnings) return fail(warnings.error());
  auto confirmed = confirm_warnings(options, program, known->facts, *warnings);
  if (!confirmed) return fail(confirmed.error());
  report.program = program[0];
  report.warnings = std::move(*warnings);
  report.verdicts = std::move(confirmed->verdicts);
  report.notes.insert(report.notes.end(), confirmed->notes.begin(), confirmed->notes.end());
  for (const std::string& reason : known->facts.opaque) report.notes.push_back("partial: " + reason);
  const bool to_stdout = options.json == "-" || options.sarif == "-";
  print(report, style_for(options.color, STDOUT_FILENO), to_stdout ? stderr : stdout);
  if (report.warnings.empty()) fmt::print(to_stdout ? stderr : stdout, "no warnings\n");
  if (!options.json.empty()) {
    if (auto written = write_output(options.json, confirm_json(report)); !written) return fail(written.error());
  }
  if (!options.sarif.empty()) {
    if (auto written = write_output(options.sarif, confirm_sarif(report)); !written) return fail(written.error());
  }
  return report.exit_code();
}

}  // namespace ravel
