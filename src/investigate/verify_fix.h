// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Is the defect of a plan still reachable in the changed program, with schedules that cost no more than the plan's?
// First the plan itself, as far as it fits; then schedules near to it; then all with so many preemptions.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "investigate/plan_source.h"
#include "report/report.h"

namespace ravel {

struct VerifiedFix {
  VerifyFixReport report;
  std::vector<std::string> warnings;
};

// `plan` comes from a file. Without `preemptions` those of the plan.
Result<VerifiedFix> verify_fix(const PreparedPlan& plan, std::optional<std::uint32_t> preemptions,
                               std::chrono::milliseconds time);

}  // namespace ravel
