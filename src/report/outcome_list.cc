// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/outcome_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "report/console.h"
#include "report/json_report.h"
#include "report/json_text.h"

namespace ravel {
namespace {

using Json = nlohmann::ordered_json;

Json row_json(const OutcomeRow& row) {
  Json observations = Json::object();
  for (const Observation& seen : row.observations) observations[seen.name] = seen.value;
  return {{"kind", row.kind}, {"observations", observations}, {"count", row.count}, {"plan", row.plan}};
}

Json rows_json(const std::vector<OutcomeRow>& rows) {
  Json list = Json::array();
  for (const OutcomeRow& row : rows) list.push_back(row_json(row));
  return list;
}

bool less(const OutcomeRow& a, const OutcomeRow& b) {
  return std::tie(a.kind, a.observations) < std::tie(b.kind, b.observations);
}

// What is in `rows` and not in `others`.
std::vector<OutcomeRow> only_in(const std::vector<OutcomeRow>& rows, const std::vector<OutcomeRow>& others) {
  std::vector<OutcomeRow> out;
  for (const OutcomeRow& row : rows) {
    const bool there = std::any_of(others.begin(), others.end(),
                                   [&](const auto& other) { return !less(row, other) && !less(other, row); });
    if (!there) out.push_back(row);
  }
  return out;
}

std::string kind_text(const OutcomeRow& row, const Style& style) {
  return row.kind == "completed" ? row.kind : style.bad(row.kind);
}

}  // namespace

std::string OutcomeRow::text() const {
  if (observations.empty()) return "(nothing observed)";
  std::string text;
  for (const Observation& seen : observations) text += (text.empty() ? "" : " ") + seen.name + "=" + seen.value;
  return text;
}

std::string json_of(const OutcomesReport& report) {
  Json conventions = Json::object();
  for (const auto& [what, how] : report.conventions) conventions[what] = how;
  return json_text<Json>({{"schema_version", kJsonSchemaVersion},
                          {"command", "outcomes"},
                          {"program", report.program},
                          {"arguments", report.arguments},
                          {"build_id", report.build_id},
                          {"strategy", report.strategy},
                          {"conventions", conventions},
                          {"executions", report.executions},
                          {"blocked", report.blocked},
                          {"complete", report.complete},
                          {"seconds", report.seconds},
                          {"strategy_note", report.note},
                          {"reason", report.reason},
                          {"exit_code", report.exit_code},
                          {"not_confirmed", report.not_confirmed},
                          {"outcomes", rows_json(report.rows)}});
}

Result<OutcomesReport> outcomes_from_json(const std::string& text, const std::string& name) {
  const Json json = Json::parse(text, nullptr, false);
  const auto wrong = [&] {
    return usage_error("not a list of outcomes", name, "write one with `ravel outcomes --json'");
  };
  if (!json.is_object() || json.value("command", "") != "outcomes" || !json.contains("outcomes")) return wrong();
  OutcomesReport report;
  const auto complete = json.find("complete");
  report.complete = complete != json.end() && complete->is_boolean() && complete->get<bool>();
  const Json& rows = json["outcomes"];
  if (!rows.is_array()) return wrong();
  for (const Json& entry : rows) {
    const auto kind = entry.is_object() ? entry.find("kind") : entry.end();
    if (!entry.is_object() || kind == entry.end() || !kind->is_string()) return wrong();
    OutcomeRow row;
    row.kind = kind->get<std::string>();
    if (const auto count = entry.find("count"); count != entry.end() && count->is_number_unsigned()) {
      row.count = count->get<std::uint64_t>();
    }
    if (const auto plan = entry.find("plan"); plan != entry.end() && plan->is_string())
      row.plan = plan->get<std::string>();
    const auto observations = entry.find("observations");
    if (observations == entry.end() || !observations->is_object()) return wrong();
    for (const auto& [observed, value] : observations->items()) {
      if (!value.is_string()) return wrong();
      row.observations.push_back({observed, value.get<std::string>()});
    }
    std::sort(row.observations.begin(), row.observations.end());
    report.rows.push_back(std::move(row));
  }
  return report;
}

std::string console_outcomes(const OutcomesReport& report, const Style& style) {
  std::string text =
      fmt::format("{} of {} ({})\n", grouped(report.rows.size(), "outcome"), grouped(report.executions, "schedule"),
                  report.complete ? "complete: there are no others" : "not complete: there may be others");
  for (const OutcomeRow& row : report.rows) {
    const std::string plan = row.plan.empty() ? "" : "  " + row.plan;
    text += fmt::format("{:>10}  {}  {}{}\n", grouped(row.count), kind_text(row, style), row.text(), plan);
  }
  return text;
}

OutcomesDifference difference_of(const OutcomesReport& before, const OutcomesReport& after) {
  OutcomesDifference difference;
  difference.added = only_in(after.rows, before.rows);
  difference.removed = only_in(before.rows, after.rows);
  difference.kept = after.rows.size() - difference.added.size();
  if (!before.complete)
    difference.notes.emplace_back("the first list is not complete: what was added may have been there before");
  if (!after.complete)
    difference.notes.emplace_back("the second list is not complete: what was removed may still be there");
  return difference;
}

std::string json_of(const OutcomesDifference& difference, int exit_code) {
  return json_text<Json>({{"schema_version", kJsonSchemaVersion},
                          {"command", "outcomes-diff"},
                          {"added", rows_json(difference.added)},
                          {"removed", rows_json(difference.removed)},
                          {"kept", difference.kept},
                          {"notes", difference.notes},
                          {"exit_code", exit_code}});
}

std::string console_difference(const OutcomesDifference& difference, const Style& style) {
  std::string text;
  for (const OutcomeRow& row : difference.added)
    text += fmt::format("+ {}  {}  {}\n", kind_text(row, style), row.text(), row.plan);
  for (const OutcomeRow& row : difference.removed)
    text += fmt::format("- {}  {}  {}\n", kind_text(row, style), row.text(), row.plan);
  return text + fmt::format("{} added, {} removed, {} in both\n", difference.added.size(), difference.removed.size(),
                            difference.kept);
}

}  // namespace ravel
