// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Words for what is not controlled, and for the first difference between two runs of one plan.
#pragma once

#include <string>
#include <vector>

#include "driver/limits_seen.h"
#include "report/finding.h"

namespace ravel {

struct UncontrolledCall {
  std::string call;
  std::string detail;
  SourcePlace location;
  std::uint32_t times = 0;

  [[nodiscard]] std::string text() const;  // one line for people
};

struct LimitsReport {
  std::vector<UncontrolledCall> uncontrolled;
  std::string difference;  // one sentence; empty: none was seen
};

LimitsReport describe_limits(const LimitsSeen& seen);

}  // namespace ravel
