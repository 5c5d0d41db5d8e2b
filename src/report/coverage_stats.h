// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What the executions of a campaign say about its coverage: how it grew, and what further executions would show.
//
// Total, Average % and Smooth % as in Letko's thesis (Brno 2012, 3.4). Expected new tasks of the next execution by
// Good-Turing; the chance that it shows any by leaving one out, with the one-sided 95 % bound of Clopper and Pearson;
// richness by Chao2. These hold for executions drawn alike and independently.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/coverage.h"

namespace ravel {

struct CoverageStats {
  MetricId metric = MetricId::kCount;
  std::uint64_t runs = 0;
  std::uint64_t tasks = 0;      // S
  std::uint64_t once = 0;       // Q1: tasks of exactly one execution
  std::uint64_t twice = 0;      // Q2
  std::uint64_t only_runs = 0;  // R1: executions with such a task
  std::uint64_t last_new = 0;   // number of the execution, from 1
  double mean_size = 0;
  double total = 0;  // S, or its mean over series
  double average = 0;
  double smooth = 0;
  double next_tasks = 0;  // expected new tasks of the next execution
  double chance = 0;      // of any
  double bound = 0;       // ... at most, with 95 %
  double chao2 = 0;
  std::vector<std::uint64_t> curve;         // tasks after each execution
  std::optional<std::uint64_t> of;          // all there are: a complete search
  std::optional<std::uint64_t> of_at_most;  // as far as what was seen says
};

// One for each metric, in the order of the table.
std::vector<CoverageStats> stats_of(const TaskCoverage& coverage);
// The same over random series of `length` executions each: means of total, average and smooth.
std::vector<CoverageStats> stats_of_series(const TaskCoverage& coverage, std::uint64_t series, std::uint64_t length,
                                           std::uint64_t seed);
// The largest chance with which `n` trials have at most `successes` with 5 %.
double clopper_pearson(std::uint64_t successes, std::uint64_t n);
// The chance that one more execution shows a new task is at most this, with 95 %: the bound above, wider where tasks
// were seen twice (cover/saturation.h).
double bound_of_news(std::uint64_t only_runs, std::uint64_t twice, std::uint64_t n);

// How often each task was covered.
struct TaskCounts {
  std::vector<std::uint64_t> passing;
  std::vector<std::uint64_t> failing;

  [[nodiscard]] bool covered(std::size_t task) const { return passing[task] + failing[task] != 0; }
};
TaskCounts count_tasks(const TaskCoverage& coverage);

// Modes of synchronisation operations that no execution showed: "lock queue.cpp:41 blocked".
std::vector<std::string> never_seen(const TaskCoverage& coverage);

}  // namespace ravel
