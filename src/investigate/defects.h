// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What an execution shows, as findings, and which of two are the same.
#pragma once

#include <cstdint>
#include <vector>

#include "investigate/plan_source.h"
#include "report/finding.h"

namespace ravel {

// Told in the same words.
[[nodiscard]] bool same_finding(const Finding& a, const Finding& b);
// The same mistake, perhaps in another schedule: how a deadlock is reported depends on the order.
[[nodiscard]] bool same_defect(const Finding& a, const Finding& b);
void add_once(std::vector<Finding>& list, Finding finding);

// How the execution ended, with what caused it and its races as related ones; or, with `race`, that data race alone.
std::vector<Finding> findings_of(Names& names, std::uint64_t race);

// A plan's defect, seen again in a fresh process. Library races are left out of the record.
struct PlanDefect {
  ReplayResult result;
  std::uint64_t race = 0;       // the data race that the plan is about; 0: how its execution ends
  std::uint64_t detection = 0;  // what a detector found, if the plan is about that
  std::uint64_t detectors = 0;  // ... and the bit of the detector
  Finding finding;
};
// Error: the plan does not show its defect (any more).
Result<PlanDefect> reproduce(const PreparedPlan& plan, Symbolizer& symbolizer);

}  // namespace ravel
