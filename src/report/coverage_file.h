// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Coverage in a file (.cov): lines of words, described in docs/coverage-format.md. People can write one, a line for
// each execution. It comes from users: everything is bounded, and errors say where and what was expected.
#pragma once

#include <string>
#include <string_view>

#include "model/text/result.h"
#include "report/coverage.h"

namespace ravel {

inline constexpr std::uint32_t kCoverageFormatVersion = 3;

std::string coverage_text(const TaskCoverage& coverage);
Result<TaskCoverage> parse_coverage(std::string_view text, const std::string& name);
Result<TaskCoverage> read_coverage(const std::string& path);

}  // namespace ravel
