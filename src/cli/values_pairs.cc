// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel values pairs`: which of a variable's conflicting accesses do harm, and in which order.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/output.h"
#include "cli/values_command.h"
#include "driver/interrupt.h"
#include "investigate/value_pairs.h"
#include "model/exit_code.h"
#include "model/text/printable.h"

namespace ravel {
namespace {

std::string side_text(const PairSide& side) {
  return printable_line(fmt::format("{} {} {}:{}", side.name, side.operation, side.place.file, side.place.line));
}

// In the words of the orders that fail.
std::string harm_text(const ValuePair& pair) {
  const bool one = pair.in_order.failing != 0;
  const bool other = pair.reversed.failing != 0;
  if (!one && !other) return "no harm";
  if (one && other) return "harmful in either order";
  return fmt::format("harmful when {}'s comes first", printable_line(one ? pair.first.name : pair.second.name));
}

std::string orders_text(const ValuePair& pair) {
  if (pair.in_order.schedules != 0 && pair.reversed.schedules != 0) return "both orders";
  return fmt::format("only {}'s first",
                     printable_line(pair.in_order.schedules != 0 ? pair.first.name : pair.second.name));
}

void print_order(std::FILE* out, const PairSide& first, const PairOrder& order) {
  if (order.schedules == 0) return;
  fmt::print(out, "      {} first: {} of {} schedules fail", printable_line(first.name), order.failing,
             order.schedules);
  if (order.failing != 0) fmt::print(out, " ({})", printable_line(order.failure));
  fmt::print(out, ", plan: {}\n", printable_line(order.plan));
}

void print_pairs(const PairsResult& result, std::FILE* out) {
  std::size_t left = 0;
  std::size_t right = 0;
  for (const ValuePair& pair : result.pairs) {
    left = std::max(left, side_text(pair.first).size());
    right = std::max(right, side_text(pair.second).size());
  }
  for (const ValuePair& pair : result.pairs) {
    fmt::print(out, "{}  {:<{}}   {:<{}}   ", pair.kind, side_text(pair.first), left, side_text(pair.second), right);
    if (!pair.never.empty()) {
      fmt::print(out, "{}: {}\n", result.complete ? "never" : "not seen", printable_line(pair.never));
      continue;
    }
    fmt::print(out, "{}   {}\n", orders_text(pair), harm_text(pair));
    print_order(out, pair.first, pair.in_order);
    print_order(out, pair.second, pair.reversed);
  }
  if (!result.threads.empty()) fmt::print(out, "threads: {}\n", printable_line(result.threads));
  fmt::print(out, "{} value schedule{}, {} of them fail{}\n", result.schedules, result.schedules == 1 ? "" : "s",
             result.failing, result.complete ? " (complete)" : "; not complete: " + printable_line(result.note));
  if (!result.facts.empty()) fmt::print(out, "{}\n", printable_line(result.facts));
}

nlohmann::ordered_json json_of(const PairSide& side) {
  return {{"thread", valid_utf8(side.thread)},
          {"operation", side.operation},
          {"file", valid_utf8(side.place.file)},
          {"line", side.place.line}};
}
nlohmann::ordered_json json_of(const PairOrder& order) {
  nlohmann::ordered_json json = {{"schedules", order.schedules}, {"failing", order.failing}};
  if (order.schedules != 0) json["plan"] = valid_utf8(order.plan);
  if (order.failing != 0) json["failure"] = valid_utf8(order.failure);
  return json;
}

std::string json_of(const PairsResult& result, const std::string& variable, int code) {
  nlohmann::ordered_json pairs = nlohmann::ordered_json::array();
  for (const ValuePair& pair : result.pairs) {
    nlohmann::ordered_json one = {{"kind", pair.kind},
                                  {"object", valid_utf8(pair.object)},
                                  {"first", json_of(pair.first)},
                                  {"second", json_of(pair.second)},
                                  {"in_order", json_of(pair.in_order)},
                                  {"reversed", json_of(pair.reversed)}};
    if (!pair.never.empty()) one["never"] = valid_utf8(pair.never);
    pairs.push_back(std::move(one));
  }
  nlohmann::ordered_json json = {{"schema_version", 1},
                                 {"command", "values pairs"},
                                 {"exit_code", code},
                                 {"variable", valid_utf8(variable)},
                                 {"schedules", result.schedules},
                                 {"failing", result.failing},
                                 {"executions", result.executions},
                                 {"complete", result.complete},
                                 {"pairs", std::move(pairs)}};
  if (!result.note.empty()) json["note"] = valid_utf8(result.note);
  return json.dump(2) + "\n";
}

int code_of(const PairsResult& result) {
  if (result.interrupted) return kExitInterrupted;
  const bool harmful = std::any_of(result.pairs.begin(), result.pairs.end(), [](const ValuePair& pair) {
    return pair.in_order.failing + pair.reversed.failing != 0;
  });
  if (harmful) return kExitDefect;
  return result.complete ? kExitClean : kExitInconclusive;
}

}  // namespace

int values_pairs(const ValuesArguments& arguments, const Arguments& words, const Arguments& program) {
  if (arguments.variable.empty() || program.empty() || !words.empty()) {
    return fail(Error{ErrorKind::kUsage, arguments.variable.empty() ? "--variable is needed" : "no program given", "",
                      "ravel values pairs --variable NAME -- PROGRAM [ARGUMENTS...]"});
  }
  const InterruptGuard guard;
  auto result = examine_pairs(arguments.variable, search_request(arguments, program));
  if (!result) return fail(result.error());
  const int code = code_of(*result);
  if (!arguments.quiet) print_pairs(*result, arguments.json == "-" ? stderr : stdout);
  if (!arguments.json.empty()) {
    if (auto written = write_output(arguments.json, json_of(*result, arguments.variable, code)); !written) {
      return fail(written.error());
    }
  }
  return code;
}

}  // namespace ravel
