// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// JUnit XML: one test case a program, or one a call of explore(). What could not be tested is an error, never a pass.
#include <fmt/format.h>

#include <vector>

#include "model/text/path_text.h"
#include "report/console.h"
#include "report/formats/escape.h"
#include "report/formats/renderers.h"

namespace ravel {
namespace {

struct Case {
  std::string name;
  std::vector<const Finding*> findings;
};

std::string attribute(std::string_view text) {
  return xml_escaped(shortened(text, kShownText));
}

std::vector<Case> cases_of(const ReportView& report) {
  std::vector<Case> cases;
  std::string whole = base_name(report.program());
  if (report.run != nullptr) {
    for (const std::string& argument : report.run->arguments) whole += " " + argument;
    for (const ExploredCall& call : report.run->campaign.calls) {
      cases.push_back({call.name.empty() ? fmt::format("explore {}", call.call) : call.name, {}});
    }
  }
  if (cases.empty()) cases.push_back({std::move(whole), {}});
  for (const Finding& finding : report.findings()) {
    const std::size_t call = finding.explore_call;
    cases[call != 0 && call <= cases.size() ? call - 1 : 0].findings.push_back(&finding);
  }
  return cases;
}

std::string failure_text(const Case& test) {
  const Finding& first = *test.findings.front();
  std::string message = fmt::format("{}: {}", outcome_name(first.kind), first.message);
  if (!first.location.text.empty()) message += " at " + first.location.text;
  if (test.findings.size() > 1) message += fmt::format(" (and {} more)", test.findings.size() - 1);
  std::string text;
  ConsoleOptions plain;
  plain.show_output = false;
  for (const Finding* finding : test.findings) {
    if (finding->folded_into.empty()) text += console_finding(*finding, plain) + "\n";
  }
  return fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n", outcome_name(first.kind),
                     attribute(message), xml_escaped(shortened(text, 64 * 1024)));
}

std::string output_of(const Case& test) {
  std::string out;
  std::string err;
  for (const Finding* finding : test.findings) {
    out += finding->stdout_text;
    err += finding->stderr_text;
  }
  std::string text;
  if (!out.empty()) text += fmt::format("      <system-out>{}</system-out>\n", xml_escaped(out));
  if (!err.empty()) text += fmt::format("      <system-err>{}</system-err>\n", xml_escaped(err));
  return text;
}

std::string properties_of(const ReportView& report) {
  std::string text = "    <properties>\n";
  const auto add = [&](std::string_view name, std::string_view value) {
    text += fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", name, attribute(value));
  };
  if (report.run != nullptr) {
    const RunReport& run = *report.run;
    add("strategy", run.strategy);
    add("seed", std::to_string(run.seed));
    add("executions", std::to_string(run.campaign.executions));
    add("distinct_traces", std::to_string(run.campaign.distinct_traces));
    add("complete", run.campaign.complete ? "true" : "false");
  } else {
    add("plan", report.replay->plan);
    add("verdict", std::string(name_of(report.replay->end)));
    add("runs", std::to_string(report.replay->runs));
  }
  for (const Finding& finding : report.findings()) {
    if (!finding.plan.empty()) add("plan", finding.plan);
  }
  return text + "    </properties>\n";
}

}  // namespace

std::string junit_format(const ReportView& report) {
  const std::vector<Case> cases = cases_of(report);
  // No defect, and yet no pass: nothing was tested, diverged, interrupted, an internal error.
  const bool untested = report.findings().empty() && report.exit_code() != 0;
  const bool skipped = !untested && report.run != nullptr && report.run->vacuous;
  std::size_t failures = 0;
  std::string body;
  const std::string suite = attribute(base_name(report.program()));
  for (const Case& test : cases) {
    body += fmt::format("    <testcase name=\"{}\" classname=\"ravel.{}\"", attribute(test.name), suite);
    if (cases.size() == 1) body += fmt::format(" time=\"{:.3f}\"", report.seconds());
    body += ">\n";
    if (!test.findings.empty()) {
      ++failures;
      body += failure_text(test);
    } else if (untested) {
      body += fmt::format("      <error type=\"exit-{}\" message=\"{}\"/>\n", report.exit_code(),
                          attribute(report.reason()));
    } else if (skipped) {
      body += fmt::format("      <skipped message=\"{}\"/>\n", attribute(report.reason()));
    }
    body += output_of(test) + "    </testcase>\n";
  }
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{:.3f}\"", cases.size(), failures,
                  untested ? cases.size() : 0, skipped ? cases.size() : 0, report.seconds());
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"ravel\" {}>\n  <testsuite name=\"{}\" {}>\n{}{}"
      "  </testsuite>\n</testsuites>\n",
      counts, suite, counts, properties_of(report), body);
}

}  // namespace ravel
