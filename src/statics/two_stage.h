// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Value schedules from the code alone: the simple form of the method, in which all are derived before any is run
// (J. Chen, "Guided testing of concurrent programs using value schedules", 2009, chapter 5). One thread after the other
// is traversed; at each access, either it comes before everything that conflicts with it and has not come (rule 1), or
// one such access of another thread is brought about first (rule 2), with the rest of its critical section if it is a
// lock. While a thread waits for that, the same rules hold for what is met on the way.
//
// Branches are followed both ways, so most programs have more schedules here than in truth. What is known here:
// accesses and locks of threads that main starts one by one. Conditions, threads made in loops and accesses of main
// itself are refused.
#pragma once

#include <cstdint>
#include <vector>

#include "model/text/result.h"
#include "statics/facts.h"

namespace ravel {

// An access as it is executed: the n-th time its thread does it.
struct StaticAccess {
  unsigned site = 0;  // of Facts::sites
  unsigned instance = 1;
  friend auto operator<=>(const StaticAccess&, const StaticAccess&) = default;
};

struct StaticOrder {
  StaticAccess first;
  StaticAccess second;
  bool decided = false;  // by rule 2: both happen. Else by rule 1: this is the order if both happen
  friend auto operator<=>(const StaticOrder&, const StaticOrder&) = default;
};

struct StaticSchedule {
  std::vector<StaticOrder> orders;  // as they were derived
  bool deadlock = false;            // ends with threads that wait for each other
};

struct TwoStageLimits {
  std::uint64_t schedules = 10'000;
  std::uint64_t steps = 2'000'000;
  unsigned instances = 0;  // of an access in a loop; 0: loops are refused
};

struct TwoStageResult {
  std::vector<StaticSchedule> schedules;
  bool complete = true;  // false: a limit was reached
};

Result<TwoStageResult> derive_schedules(const Facts& facts, const TwoStageLimits& limits);

}  // namespace ravel
