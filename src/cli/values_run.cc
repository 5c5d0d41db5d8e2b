// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel values run`: can the orders of a file happen together? That they cannot is a result, not an error.
#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "cli/output.h"
#include "cli/values_command.h"
#include "driver/interrupt.h"
#include "investigate/value_test.h"
#include "model/exit_code.h"
#include "model/text/printable.h"

namespace ravel {
namespace {

int code_of(const ValuesResult& result) {
  if (InterruptGuard::interrupted()) return kExitInterrupted;
  if (result.end == SequenceEnd::kUndecided) return kExitInconclusive;
  if (!result.expected.empty()) return result.as_expected ? kExitClean : kExitDefect;
  return result.end == SequenceEnd::kFeasible ? kExitClean : kExitDefect;
}

void print_result(const ValuesResult& result, const ValuesArguments& arguments) {
  const Style style = style_for(arguments.color, STDOUT_FILENO);
  std::FILE* const out = arguments.json == "-" ? stderr : stdout;
  std::string text(kSequenceEndNames[static_cast<std::size_t>(result.end)]);
  if (result.end == SequenceEnd::kFeasible) {
    text += fmt::format(", {}", outcome_name(result.outcome));
    if (is_defect(result.outcome)) text += fmt::format(": {}", printable_line(result.outcome_text));
  } else if (result.order != 0) {
    text += fmt::format(" from order {} on: {}", result.order, printable_line(result.why));
  }
  fmt::print(out, "{}\n", text);
  if (result.end != SequenceEnd::kFeasible && result.order != 0) {
    fmt::print(out, "  order {}, line {}: {}\n", result.order, result.line, printable_line(result.order_text));
  }
  if (!result.as_expected) fmt::print(out, "  {}\n", style.bad("expected: " + result.expected));
  if (!result.note.empty()) fmt::print(out, "  not decided: {}\n", printable_line(result.note));
  if (!result.plan.empty()) fmt::print(out, "  plan: {}\n", printable_line(result.plan));
  fmt::print(out, "  {} execution{}\n", result.executions, result.executions == 1 ? "" : "s");
}

std::string json_of(const std::string& name, const ValuesResult& result, int code) {
  nlohmann::ordered_json json = {{"schema_version", 1},
                                 {"command", "values run"},
                                 {"exit_code", code},
                                 {"file", valid_utf8(name)},
                                 {"verdict", kSequenceEndNames[static_cast<std::size_t>(result.end)]},
                                 {"as_expected", result.as_expected},
                                 {"executions", result.executions}};
  if (result.end == SequenceEnd::kFeasible) {
    json["outcome"] = outcome_name(result.outcome);
    json["plan"] = valid_utf8(result.plan);
  } else if (result.order != 0) {
    json["order"] = result.order;
    json["line"] = result.line;
    json["text"] = valid_utf8(result.order_text);
    json["why"] = valid_utf8(result.why);
  }
  if (!result.note.empty()) json["note"] = valid_utf8(result.note);
  return json.dump(2) + "\n";
}

}  // namespace

int values_run(const ValuesArguments& arguments, const Arguments& words, const Arguments& program) {
  if (words.size() != 1) {
    return fail(Error{ErrorKind::kUsage, words.empty() ? "no file given" : "more than one file given", "",
                      "ravel values run FILE [-- PROGRAM ARGUMENTS...]"});
  }
  auto file = read_values(words[0]);
  if (!file) return fail(file.error());
  const InterruptGuard guard;
  auto result = test_values(*file, words[0], search_request(arguments, program));
  if (!result) return fail(result.error());
  const int code = code_of(*result);
  if (!arguments.quiet) print_result(*result, arguments);
  if (!arguments.json.empty()) {
    if (auto written = write_output(arguments.json, json_of(words[0], *result, code)); !written) {
      return fail(written.error());
    }
  }
  return code;
}

}  // namespace ravel
