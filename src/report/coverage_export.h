// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Coverage for other programs: CSV (one row per task), JSON (all numbers), SVG (the curves).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "report/coverage.h"

namespace ravel {

// Numbers and curves of each metric, tasks by source line, what was never seen.
nlohmann::ordered_json coverage_summary(const TaskCoverage& coverage);
std::string coverage_csv(const TaskCoverage& coverage);
std::string coverage_json(const TaskCoverage& coverage);
std::string coverage_svg(const TaskCoverage& coverage);

// A cell that no spreadsheet takes for a formula, in quotes where it needs them.
std::string csv_cell(std::string_view text);

}  // namespace ravel
