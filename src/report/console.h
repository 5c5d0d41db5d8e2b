// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The console report: one block of text per finding.
#pragma once

#include <string>

#include "report/finding.h"
#include "report/style.h"

namespace ravel {

struct ConsoleOptions {
  Style style;
  bool show_output = true;  // what the failing execution printed
  std::size_t width = 0;    // of the terminal; 0: there is none
  std::string environment;  // "NAME=value " that the program needs to do the same again
  bool leads = true;        // the first finding of its test: only that one says "reproduce:"
};

std::string console_finding(const Finding& finding, const ConsoleOptions& options);
// Two lines, for races that follow a failure that already reported them.
// A prediction that no execution confirmed.
std::string console_potential(const Finding& finding);
// Those that do not decide the exit code: the first of each reason in full.
std::string console_doubtful(const std::vector<Finding>& findings);
std::string console_brief(const Finding& finding);
// 1284 -> "1 284"
std::string grouped(std::uint64_t number);
// "1 schedule", "12 345 schedules".
std::string grouped(std::uint64_t number, std::string_view word);
// 43123.4 -> "43 k"
std::string rate_text(double per_second);

}  // namespace ravel
