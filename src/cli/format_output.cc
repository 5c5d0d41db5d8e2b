// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "cli/format_output.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/output.h"
#include "report/json_report.h"

namespace ravel {

std::string FormatChoice::set(const std::string& list) {
  auto parsed = parse_formats(list);
  if (!parsed) return parsed.error().line();
  requests = std::move(*parsed);
  const auto is_console = [](const FormatRequest& request) { return request.format->render == nullptr; };
  console = std::any_of(requests.begin(), requests.end(), is_console);
  requests.erase(std::remove_if(requests.begin(), requests.end(), is_console), requests.end());
  return {};
}

bool FormatChoice::draws() const {
  return std::any_of(requests.begin(), requests.end(), [](const FormatRequest& r) { return r.format->draws; });
}

std::FILE* FormatChoice::console_stream(const std::string& json) const {
  const bool taken = json == "-" || std::any_of(requests.begin(), requests.end(), [](const FormatRequest& request) {
                       return request.file == "-" && request.format->target == FormatTarget::kFile;
                     });
  return taken ? stderr : stdout;
}

Result<void> write_formats(const FormatChoice& choice, const std::string& json, const ReportView& report, bool quiet) {
  if (!json.empty()) {
    const std::string text = report.run != nullptr ? json_of(*report.run) : json_of(*report.replay);
    if (auto written = write_output(json, text); !written) return written;
  }
  for (const FormatRequest& request : choice.requests) {
    if (auto written = write_output(request.file, request.format->render(report)); !written) return written;
    if (!quiet && request.file != "-")
      fmt::print(stderr, "{:<11} {}\n", std::string(request.format->name) + ":", request.file);
  }
  return {};
}

}  // namespace ravel
