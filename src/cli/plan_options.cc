// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cli/plan_options.h"

#include <fmt/format.h>

#include "cli/option_words.h"
#include "model/text/words.h"

namespace ravel {
namespace {

using P = PlanArguments;
using S = const std::string&;
using Row = OptionRow<PlanArguments>;

std::string set_time(P& o, S value) {
  const auto time = parse_duration(value);
  if (time) o.time = *time;
  return time ? "" : "not a time such as 500ms, 10s or 2m";
}
std::string set_json(P& o, S value) {
  o.json = value;
  return value.empty() ? "empty" : "";
}
std::string set_output(P& o, S value) {
  o.output = value;
  return value.empty() ? "empty" : "";
}
std::string set_preemptions(P& o, S value) {
  o.preemptions = number_of<std::uint32_t>(value, 1000);
  return o.preemptions ? "" : "not a number in range";
}
std::string set_quiet(P& o, S) {
  o.quiet = true;
  return {};
}
std::string set_plan_color(P& o, S value) {
  return set_color(o.color, value);
}

constexpr Row kTime = {"--time", "T", "end after this time: 500ms, 10s, 2m (default 10s)", set_time};
constexpr Row kJson = {"--json", "FILE", "write the result as JSON (`-': stdout)", set_json};
constexpr Row kQuiet = {"--quiet", "", "print nothing but errors", set_quiet};
constexpr Row kColor = {"--color", "WHEN", "auto, always or never (default auto)", set_plan_color, color_words};

constexpr Row kMinimize[] = {
    kTime,  {"--output", "FILE", "where the plan is written (default: PLAN with .min.plan)", set_output}, kJson, kQuiet,
    kColor,
};
constexpr Row kExplain[] = {kTime, kJson, kQuiet, kColor};
constexpr Row kVerifyFix[] = {
    kTime,
    {"--preemptions", "C", "how many preemptions a schedule may have (default: those of the plan)", set_preemptions},
    kJson,
    kQuiet,
    kColor,
};

}  // namespace

std::span<const Row> minimize_option_table() {
  return kMinimize;
}
std::span<const Row> explain_option_table() {
  return kExplain;
}
std::span<const Row> verify_fix_option_table() {
  return kVerifyFix;
}

Result<PreparedPlan> named_plan(const CommandSyntax& syntax, const CommandLine& line, RacyPlaces places) {
  if (line.positional.size() != 1) {
    return usage_error(line.positional.empty() ? "no plan given" : "more than one plan given", "",
                       fmt::format("ravel {} {}", syntax.command, syntax.usage));
  }
  auto source = read_plan_source(line.positional[0]);
  if (!source) return tl::make_unexpected(source.error());
  return prepare_plan(std::move(*source), line.program, places);
}

}  // namespace ravel
