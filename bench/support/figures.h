// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The figures of one run by name, and the goals they are held against: printed as a table behind the benchmarks.
#pragma once

#include <string>

namespace ravel::bench {

// Keeps the smallest value seen under a name.
void note_figure(const std::string& name, double value);
// 0 when the figure was not measured in this run.
double figure(const std::string& name);

// A row of the table: value, and the goal it should not exceed (0: none).
void add_goal(const std::string& what, double value, double at_most, const char* unit);
void print_goals();

}  // namespace ravel::bench
