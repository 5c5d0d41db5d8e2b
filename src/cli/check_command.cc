// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel check`: detectors over a trace in a file, without running anything.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>

#include "cli/command.h"
#include "cli/configuration.h"
#include "cli/coverage_options.h"
#include "cli/option_words.h"
#include "cli/options.h"
#include "cli/run_options.h"
#include "detect/detector_table.h"
#include "model/exit_code.h"
#include "model/outcome.h"
#include "model/text/printable.h"
#include "model/text/trace_text.h"
#include "report/console.h"
#include "report/coverage_text.h"
#include "report/finding.h"
#include "report/trace_coverage.h"
#include "report/trace_import.h"
#include "report/trace_observers.h"

namespace ravel {
namespace {

struct CheckArguments {
  std::uint32_t metrics = 0;
  std::uint64_t detectors = default_detectors();
};

constexpr OptionRow<CheckArguments> kRows[] = {
    {"--detect", "NAME,...", "which defects to look for: names, all, precise, default or none (see `ravel list')",
     [](CheckArguments& o, const std::string& v) { return set_detectors(o.detectors, v); }, detector_words},
    {"--coverage", "NAME,...",
     "list the coverage tasks of the trace: names of metrics, default or all (see `ravel list')",
     [](CheckArguments& o, const std::string& v) { return set_metrics(o.metrics, v); }, metric_words},
};

constexpr CommandSyntax kSyntax = {
    "check", "[options] TRACE",
    "Runs the detectors over TRACE, a file that `ravel replay --trace' or a person wrote (`-': "
    "standard input). Nothing is run, so nothing is confirmed.",
    ProgramStartsAt::kDoubleDash, "0 nothing found, 1 something found, 2 usage"};

Result<std::string> read_text(const std::string& name) {
  if (name == "-") return std::string(std::istreambuf_iterator<char>(std::cin), {});
  std::ifstream file(name, std::ios::binary);
  if (!file) return tl::unexpected(Error{ErrorKind::kUsage, "cannot read the trace", name, std::strerror(errno)});
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::string text_of(const Finding& finding) {
  std::string text = fmt::format("{}  {}  {}\n", outcome_name(finding.kind), printable_line(finding.message),
                                 printable_line(finding.location.text));
  for (const std::string& detail : finding.details) text += fmt::format("  {}\n", printable_line(detail));
  return text;
}

}  // namespace

CommandPage check_page() {
  return configured_page(page_of(kSyntax, std::span<const OptionRow<CheckArguments>>(kRows)));
}

int check_command(const Arguments& args) {
  CheckArguments arguments;
  const auto bound = bind_options(std::span<const OptionRow<CheckArguments>>(kRows), arguments);
  CommandLine line;
  if (auto ended = start_command(kSyntax, bound, args, line)) return *ended;
  if (line.positional.size() != 1) {
    return fail(Error{ErrorKind::kUsage, "one trace is needed", "", "`ravel replay --trace FILE PLAN' writes one"});
  }
  const std::string& name = line.positional[0];
  const auto text = read_text(name);
  if (!text) return fail(text.error());
  const auto trace = parse_trace(*text);
  if (!trace) {
    return fail(Error{ErrorKind::kUsage, "not a trace", fmt::format("{}:{}", name, trace.error().text()),
                      "docs/trace-format.md describes it"});
  }
  if (trace->events.empty()) {
    return fail(Error{ErrorKind::kUsage, "the trace has no events", name, "there is nothing to check"});
  }

  Symbolizer symbolizer;
  ExecutionRecord record = record_of(*trace, symbolizer);
  const Observed observed = observe(record, arguments.detectors);
  Names names(record, symbolizer);
  std::vector<Finding> findings;
  for (const RaceRecord& race : record.races) findings.push_back(describe_race(names, race));
  for (const DetectionRecord& found : record.detections) findings.push_back(describe_detection(names, found));
  fmt::print("checked {}\n", grouped(trace->events.size(), "event"));
  for (const Finding& finding : findings) fmt::print("{}", text_of(finding));
  if (findings.empty()) fmt::print("nothing found\n");
  if (observed.truncated || observed.left_out != 0) fmt::print("there may be more findings: a table was full\n");
  if (arguments.metrics != 0) {
    const TaskCoverage coverage = coverage_of(*trace, arguments.metrics);
    for (const std::string& task : task_lines(coverage)) fmt::print("{}\n", task);
    if (coverage.truncated) fmt::print("coverage is not complete: a table was full\n");
  }
  return findings.empty() ? kExitClean : kExitDefect;
}

}  // namespace ravel
