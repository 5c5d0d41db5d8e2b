// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Coverage for people: the table of a campaign, what was never seen, whether to go on.
#pragma once

#include <string>
#include <vector>

#include "report/coverage.h"
#include "report/coverage_stats.h"

namespace ravel {

// Table, modes never seen and advice.
std::string coverage_table(const TaskCoverage& coverage);
// Of one execution, about which statistics say nothing: how many tasks of each metric.
std::string execution_table(const TaskCoverage& coverage);
// Every task on a line of its own, "METRIC field field ...", sorted; of one metric without its name.
std::vector<std::string> task_lines(const TaskCoverage& coverage);
std::vector<std::string> task_lines(const TaskCoverage& coverage, MetricId metric);

}  // namespace ravel
