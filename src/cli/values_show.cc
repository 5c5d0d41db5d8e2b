// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel values show`: the value schedule of a saved plan, or of a trace in its text form.
#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "cli/output.h"
#include "cli/values_command.h"
#include "investigate/plan_source.h"
#include "model/exit_code.h"
#include "model/text/trace_text.h"
#include "report/trace_import.h"
#include "report/value_orders.h"

namespace ravel {
namespace {

int write_result(const ValuesArguments& arguments, const ValuesFile& file) {
  auto written = write_output(arguments.output.empty() ? "-" : arguments.output, write_values(file));
  return written ? kExitClean : fail(written.error());
}

// A file that is no plan is a trace.
bool is_trace(const std::string& name, std::string& text) {
  constexpr std::string_view kPlan = "ravel-plan";
  std::ifstream file(name, std::ios::binary);
  std::ostringstream all;
  if (!file || !(all << file.rdbuf())) return false;
  text = all.str();
  return text.compare(0, kPlan.size(), kPlan) != 0;
}

int show_trace(const ValuesArguments& arguments, const std::string& name, const std::string& text) {
  const auto trace = parse_trace(text);
  if (!trace) {
    return fail(Error{ErrorKind::kUsage, "neither a plan nor a trace", fmt::format("{}:{}", name, trace.error().text()),
                      "docs/trace-format.md describes traces"});
  }
  Symbolizer symbolizer;
  const ExecutionRecord record = record_of(*trace, symbolizer);
  Names names(record, symbolizer);
  ValuesFile file = values_of(names, arguments.contexts);
  file.expect = {};  // a trace does not say how it ended
  return write_result(arguments, file);
}

}  // namespace

int values_show(const ValuesArguments& arguments, const Arguments& words, const Arguments& program) {
  if (words.size() != 1) {
    return fail(Error{ErrorKind::kUsage, words.empty() ? "no plan given" : "more than one plan given", "",
                      "ravel values show PLAN|TRACE [-- PROGRAM ARGUMENTS...]"});
  }
  std::string text;
  if (is_trace(words[0], text)) return show_trace(arguments, words[0], text);
  auto source = read_plan_source(words[0]);
  if (!source) return fail(source.error());
  auto plan = prepare_plan(std::move(*source), program);
  if (!plan) return fail(plan.error());
  auto result = run_replay(plan->replay);
  if (!result) return fail(result.error());
  if (result->record.outcome == OutcomeKind::kDiverged) {
    return fail(Error{ErrorKind::kCannotTest, "the plan does not fit the program", words[0],
                      "see `ravel replay' for where it differs"});
  }
  Symbolizer symbolizer;
  Names names(result->record, symbolizer);
  ValuesFile file = values_of(names, arguments.contexts);
  file.program = plan->replay.program.path;
  const std::vector<std::string>& argv = plan->replay.program.argv;
  if (!argv.empty()) file.arguments.assign(argv.begin() + 1, argv.end());
  file.stdin_path = plan->replay.program.stdin_path;
  return write_result(arguments, file);
}

}  // namespace ravel
