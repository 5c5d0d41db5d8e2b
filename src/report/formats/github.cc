// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Workflow commands of GitHub: one line a finding, shown at the source line of a pull request.
#include <fmt/format.h>

#include "report/formats/escape.h"
#include "report/formats/renderers.h"

namespace ravel {
namespace {

std::string annotation(const Finding& finding, std::string_view level) {
  std::string text = finding.message;
  for (const Finding& cause : finding.causes)
    text += fmt::format("\ncause: {} {}", outcome_name(cause.kind), cause.message);
  for (const std::string& line : finding.explanation) text += "\n" + line;
  for (const std::string& line : finding.details) text += "\n" + line;
  if (!finding.plan.empty()) text += fmt::format("\nreproduce: ravel replay {}", shell_word(finding.plan));
  std::string where;
  if (!finding.location.file.empty()) {
    where = fmt::format("file={},line={},", github_property(shortened(finding.location.path, kShownText)),
                        finding.location.line);
    if (finding.location.column != 0) where += fmt::format("col={},", finding.location.column);
  }
  return fmt::format("::{} {}title={}::{}\n", level, where,
                     github_property(fmt::format("Ravel: {}", outcome_name(finding.kind))),
                     github_text(shortened(text, kShownText)));
}

}  // namespace

std::string github_format(const ReportView& report) {
  std::string text;
  for (const Finding& finding : report.findings()) {
    if (finding.folded_into.empty()) text += annotation(finding, "error");
  }
  for (const Finding& finding : report.potential()) text += annotation(finding, "warning");
  if (report.findings().empty() && report.exit_code() != 0) {
    text +=
        fmt::format("::error title={}::{}\n", github_property(fmt::format("Ravel: exit code {}", report.exit_code())),
                    github_text(shortened(report.reason(), kShownText)));
  }
  return text;
}

}  // namespace ravel
