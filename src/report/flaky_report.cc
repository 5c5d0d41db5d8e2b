// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/flaky_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/text/printable.h"
#include "report/console.h"
#include "report/json_text.h"
#include "report/ratio.h"
#include "report/suspects.h"

namespace ravel {
namespace {

using Json = nlohmann::ordered_json;

double ratio_of(const FreeReport& report) {
  return report.runs == 0 ? 0 : static_cast<double>(report.failed) / static_cast<double>(report.runs);
}

std::string why(const FreeReport& report) {
  if (report.vacuous) return report.reason;
  if (report.findings.empty()) return report.cut != 0 ? fmt::format("{} did not end", grouped(report.cut, "run")) : "";
  const FreeFinding& first = report.findings[0];
  std::string text = fmt::format("{} `{}'", outcome_name(first.kind), printable_line(first.message));
  if (!first.location.text.empty()) text += " at " + first.location.text;
  if (!report.suspects.empty()) {
    const SuspectLine& suspect = report.suspects[0];
    return text + fmt::format("; {}: in {} of {} failing, {} of {} passing runs", suspect_text(suspect),
                              suspect.failing_with, suspect.failing, suspect.passing_with, suspect.passing);
  }
  if (!first.blame.empty()) {
    const NoiseBlame& blame = first.blame[0];
    text += fmt::format("; noise at {}: in {} of {} failing, {} of {} passing runs", blame.place, blame.failing_with,
                        blame.failing, blame.passing_with, blame.passing);
  }
  return text;
}

std::string pinned(const FreeReport& report) {
  for (const FreeFinding& finding : report.findings) {
    if (finding.pin.pinned) return printable_line(finding.pin.plan);
  }
  return report.findings.empty() ? "" : "no";
}

}  // namespace

void rank_tests(FlakyReport& report) {
  std::stable_sort(report.tests.begin(), report.tests.end(), [](const FlakyTest& a, const FlakyTest& b) {
    const double left = ratio_of(a.report);
    const double right = ratio_of(b.report);
    return left != right ? left > right : a.name < b.name;
  });
}

std::string flaky_text(const FlakyReport& report) {
  std::size_t wide = 4;
  std::size_t plan = 6;
  for (const FlakyTest& test : report.tests) {
    wide = std::max(wide, printable_line(test.name).size());
    plan = std::max(plan, pinned(test.report).size());
  }
  std::string text = fmt::format("{:<{}}  {:>7}  {:>7}  {:<15}  {:<{}}  {}\n", "test", wide, "runs", "failed", "95 %",
                                 "pinned", plan, "why");
  for (const FlakyTest& test : report.tests) {
    const FreeReport& one = test.report;
    text +=
        fmt::format("{:<{}}  {:>7}  {:>7}  {:<15}  {:<{}}  {}\n", printable_line(test.name), wide, grouped(one.runs),
                    grouped(one.failed), interval_text(one.failed, one.runs), pinned(one), plan, why(one));
  }
  return text;
}

std::string flaky_json(const FlakyReport& report) {
  Json tests = Json::array();
  for (const FlakyTest& test : report.tests) {
    Json one = Json::parse(free_json(test.report));
    one["test"] = test.name;
    tests.push_back(std::move(one));
  }
  const Json json = {{"mode", "flaky"},           {"program", report.program},
                     {"seconds", report.seconds}, {"exit_code", static_cast<int>(report.exit_code)},
                     {"reason", report.reason},   {"tests", tests}};
  return json_text(json);
}

}  // namespace ravel
