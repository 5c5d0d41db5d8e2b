// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/formats/format.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/formats/renderers.h"
#include "report/json_report.h"

namespace ravel {
namespace {

std::string json_format(const ReportView& report) {
  return report.run != nullptr ? json_of(*report.run) : json_of(*report.replay);
}

constexpr FormatRow kRows[] = {
    {"console", "for people, on the terminal", FormatTarget::kTerminal, false, nullptr},
    {"html", "one offline page: lanes of threads, source, summary of the campaign", FormatTarget::kFile, true,
     html_format},
    {"sarif", "SARIF 2.1.0, for code scanning and editors", FormatTarget::kFile, false, sarif_format},
    {"junit", "JUnit XML, for test reports of CI", FormatTarget::kFile, false, junit_format},
    {"json", "everything, for scripts (docs/reports.md)", FormatTarget::kFile, false, json_format},
    {"perfetto", "trace events for Perfetto and chrome://tracing", FormatTarget::kFile, true, perfetto_format},
    {"github", "annotations of GitHub workflows", FormatTarget::kTerminalOrFile, false, github_format},
};

}  // namespace

std::span<const FormatRow> format_table() {
  return kRows;
}

std::string format_names() {
  std::string names;
  for (const FormatRow& row : kRows) names += (names.empty() ? "" : ", ") + std::string(row.name);
  return names;
}

Result<std::vector<FormatRequest>> parse_formats(std::string_view list) {
  std::vector<FormatRequest> requests;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    const std::string_view item = list.substr(at, end - at);
    at = end + 1;
    const std::size_t equals = item.find('=');
    const std::string_view name = item.substr(0, equals);
    const auto row =
        std::find_if(std::begin(kRows), std::end(kRows), [&](const FormatRow& r) { return r.name == name; });
    if (row == std::end(kRows))
      return usage_error("unknown format", std::string(item), fmt::format("one of {}", format_names()));
    FormatRequest request{row, equals == std::string_view::npos ? std::string{} : std::string(item.substr(equals + 1))};
    const bool has_file = equals != std::string_view::npos;
    if (has_file && row->target == FormatTarget::kTerminal)
      return usage_error("a format that takes no file", std::string(item), fmt::format("write {}", row->name));
    if (has_file ? request.file.empty() : row->target == FormatTarget::kFile)
      return usage_error("a format without its file", std::string(item), fmt::format("write {}=FILE", row->name));
    if (!has_file) request.file = "-";
    const bool twice = std::any_of(requests.begin(), requests.end(), [&](const FormatRequest& other) {
      return other.format == request.format || (other.file == request.file && request.file != "-");
    });
    if (twice) return usage_error("a format or file named twice", std::string(item), "name each once");
    requests.push_back(std::move(request));
  }
  return requests;
}

}  // namespace ravel
