// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Two files of coverage compared by lasting names: what is new, what is gone because its code is gone or changed, and
// what is lost although all of its code is the same.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/coverage.h"

namespace ravel {

struct LostTask {
  std::string task;
  double share = 0;  // of the executions before
};

struct MetricDifference {
  MetricId metric = MetricId::kCount;
  std::uint64_t fresh = 0;         // in code that both have
  std::uint64_t fresh_in_new = 0;  // in new or changed code
  std::uint64_t gone = 0;          // with removed or changed code
  std::uint64_t unknown = 0;       // lost, and the source of one of the builds could not be read
  std::vector<LostTask> lost;      // in unchanged code, most frequent first
  std::vector<std::string> added;  // tasks of both kinds

  [[nodiscard]] bool empty() const { return fresh + fresh_in_new + gone + unknown + lost.size() == 0; }
};

std::vector<MetricDifference> difference_of(const TaskCoverage& before, const TaskCoverage& after);
std::string difference_text(const std::vector<MetricDifference>& difference);

}  // namespace ravel
