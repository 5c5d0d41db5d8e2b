// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// `ravel values list`: the value schedules that the code allows, derived without running the program, and, with
// --check, which of them happen.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/output.h"
#include "cli/values_command.h"
#include "driver/interrupt.h"
#include "driver/program_image.h"
#include "investigate/two_stage_check.h"
#include "investigate/use_facts.h"
#include "model/exit_code.h"
#include "model/text/printable.h"
#include "statics/facts_file.h"

namespace ravel {
namespace {

// Facts of this very build.
Result<Facts> facts_of(const ValuesArguments& arguments, const std::string& program) {
  auto image = testable_program(program);
  if (!image) return tl::make_unexpected(image.error());
  const std::string path = facts_path(arguments.output.empty() ? ".ravel" : arguments.output, program);
  if (!std::filesystem::exists(path))
    return usage_error("no static facts", path, "run `ravel analyze " + program + "' first");
  auto facts = read_facts(path);
  if (!facts) return tl::make_unexpected(facts.error());
  if (facts->build_id != image->build_id) {
    return usage_error("the facts are of another build", path, "run `ravel analyze " + program + "' again");
  }
  return facts;
}

void print_schedules(const Facts& facts, const TwoStageResult& derived, const TwoStageCheck* check, std::FILE* out) {
  for (std::size_t i = 0; i < derived.schedules.size(); ++i) {
    const StaticSchedule& schedule = derived.schedules[i];
    std::string text;
    for (const StaticOrder& order : schedule.orders) {
      if (order.decided) text += (text.empty() ? "" : ", ") + static_order_text(facts, order);
    }
    if (text.empty()) text = "one thread after the other";
    if (schedule.deadlock) text += ", then a deadlock";
    const char* verdict = check == nullptr     ? ""
                          : check->feasible[i] ? "  feasible"
                          : check->complete    ? "  never"
                                               : "  not seen";
    fmt::print(out, "{:>4}  {}{}\n", i + 1, printable_line(text), verdict);
  }
}

void print_summary(const TwoStageResult& derived, const TwoStageCheck* check, std::FILE* out) {
  const std::size_t count = derived.schedules.size();
  fmt::print(out, "{} value schedule{} derived from the code{}\n", count, count == 1 ? "" : "s",
             derived.complete ? "" : "; there are more, a bound was reached");
  if (check == nullptr) return;
  const auto feasible = static_cast<std::size_t>(std::count(check->feasible.begin(), check->feasible.end(), true));
  const std::size_t infeasible = count - feasible;
  fmt::print(
      out, "{} feasible, {} {}{}\n", feasible, infeasible, check->complete ? "infeasible" : "not seen",
      infeasible == 0 ? "" : fmt::format(", by {} first orders that cannot happen", infeasible - check->runs_saved));
  const std::string matched = check->unexpected == 0
                                  ? "each is exactly one of these schedules"
                                  : fmt::format("{} of them are none or several of these schedules", check->unexpected);
  fmt::print(out, "{} execution{} of the search: {}{}\n", check->executions, check->executions == 1 ? "" : "s", matched,
             check->complete ? " (complete)" : "; not complete: " + printable_line(check->note));
}

std::string json_of(const Facts& facts, const TwoStageResult& derived, const TwoStageCheck* check, int code) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < derived.schedules.size(); ++i) {
    nlohmann::ordered_json orders = nlohmann::ordered_json::array();
    for (const StaticOrder& order : derived.schedules[i].orders) {
      if (order.decided) orders.push_back(valid_utf8(static_order_text(facts, order)));
    }
    nlohmann::ordered_json one = {{"orders", std::move(orders)}, {"deadlock", derived.schedules[i].deadlock}};
    if (check != nullptr) one["feasible"] = static_cast<bool>(check->feasible[i]);
    list.push_back(std::move(one));
  }
  nlohmann::ordered_json json = {{"schema_version", 1},
                                 {"command", "values list"},
                                 {"exit_code", code},
                                 {"all", derived.complete},
                                 {"schedules", std::move(list)}};
  if (check != nullptr) {
    json["complete"] = check->complete;
    json["executions"] = check->executions;
    json["unexpected"] = check->unexpected;
    json["saved"] = check->runs_saved;
  }
  return json.dump(2) + "\n";
}

}  // namespace

int values_list(const ValuesArguments& arguments, const Arguments& words, const Arguments& program) {
  if (program.empty() || !words.empty()) {
    return fail(
        Error{ErrorKind::kUsage, "no program given", "", "ravel values list [--check] -- PROGRAM [ARGUMENTS...]"});
  }
  auto facts = facts_of(arguments, program[0]);
  if (!facts) return fail(facts.error());
  TwoStageLimits limits;
  limits.schedules = arguments.most;
  limits.instances = arguments.instances;
  auto derived = derive_schedules(*facts, limits);
  if (!derived) return fail(derived.error());
  TwoStageCheck check;
  if (arguments.check) {
    const InterruptGuard guard;
    auto checked = check_two_stage(*facts, *derived, search_request(arguments, program));
    if (!checked) return fail(checked.error());
    check = std::move(*checked);
  }
  const TwoStageCheck* const checked = arguments.check ? &check : nullptr;
  const bool all = derived->complete && (checked == nullptr || check.complete);
  const int code = InterruptGuard::interrupted()                        ? kExitInterrupted
                   : checked != nullptr && all && check.unexpected != 0 ? kExitDefect
                   : all                                                ? kExitClean
                                                                        : kExitInconclusive;
  std::FILE* const out = arguments.json == "-" ? stderr : stdout;
  if (!arguments.quiet) {
    print_schedules(*facts, *derived, checked, out);
    print_summary(*derived, checked, out);
  }
  if (!arguments.json.empty()) {
    if (auto written = write_output(arguments.json, json_of(*facts, *derived, checked, code)); !written) {
      return fail(written.error());
    }
  }
  return code;
}

}  // namespace ravel
