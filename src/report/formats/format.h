// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Output formats: one table of names and functions from a report to text. A new format is one file and one row.
// `console` is a row too, so that lists and help name it, but the commands print it themselves: it follows the
// terminal.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/text/result.h"
#include "report/report.h"

namespace ravel {

// The result of `run` or of `replay`; exactly one is set. Does not own.
struct ReportView {
  const RunReport* run = nullptr;
  const ReplayReport* replay = nullptr;

  [[nodiscard]] std::string_view command() const { return run != nullptr ? "run" : "replay"; }
  [[nodiscard]] const std::string& program() const { return run != nullptr ? run->program : replay->program; }
  [[nodiscard]] const std::vector<Finding>& findings() const {
    return run != nullptr ? run->findings : replay->findings;
  }
  // Predicted, not confirmed: listed, but no defects.
  [[nodiscard]] std::span<const Finding> potential() const {
    return run != nullptr ? std::span<const Finding>(run->potential) : std::span<const Finding>();
  }
  [[nodiscard]] const std::vector<std::string>& notes() const { return run != nullptr ? run->notes : replay->notes; }
  [[nodiscard]] const std::string& reason() const { return run != nullptr ? run->reason : replay->reason; }
  [[nodiscard]] int exit_code() const { return run != nullptr ? run->exit_code : replay->exit_code; }
  [[nodiscard]] double seconds() const { return run != nullptr ? run->campaign.seconds : 0; }
};

enum class FormatTarget { kTerminal, kTerminalOrFile, kFile };

struct FormatRow {
  std::string_view name;
  std::string_view help;
  FormatTarget target = FormatTarget::kFile;
  bool draws = false;                                  // needs Finding::timeline
  std::string (*render)(const ReportView&) = nullptr;  // nullptr: console
};

std::span<const FormatRow> format_table();
std::string format_names();  // "console, json, ..."

struct FormatRequest {
  const FormatRow* format = nullptr;
  std::string file;  // "-": standard output
};

// "console,html=report.html,github". A comma ends a file name.
Result<std::vector<FormatRequest>> parse_formats(std::string_view list);

}  // namespace ravel
