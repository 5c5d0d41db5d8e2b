// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Schedules that were derived from the code alone (statics/two_stage.h) against every execution of the program: which
// of them happen, and whether each execution is one of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "investigate/value_search.h"
#include "statics/two_stage.h"

namespace ravel {

struct TwoStageCheck {
  std::vector<bool> feasible;    // by schedule
  std::uint64_t runs_saved = 0;  // infeasible ones that share the orders that cannot happen with one before
  std::uint64_t executions = 0;  // that the search made
  std::uint64_t unexpected = 0;  // executions that none of the schedules is, or several are
  bool complete = false;
  std::string note;
};

Result<TwoStageCheck> check_two_stage(const Facts& facts, const TwoStageResult& derived,
                                      const ValueSearchRequest& request);

// "main.1 write accounts.cpp:14"; threads are main's children in the order of their classes.
std::string static_access_text(const Facts& facts, const StaticAccess& access);
std::string static_order_text(const Facts& facts, const StaticOrder& order);

}  // namespace ravel
