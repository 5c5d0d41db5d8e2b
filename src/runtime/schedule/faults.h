// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Failures that a program must expect and that no test ever shows it. Whether one happens is a choice of the schedule
// (data choice: 0 no, 1 yes) wherever the plan allows it, until its limit is used up; so it is searched, replayed and
// recorded like any other choice.
#pragma once

#include <cstdint>

#include "model/event.h"
#include "model/plan.h"
#include "runtime/state/state.h"

namespace ravel::rt {

// Does `fault` (one bit of PlanSpec::faults) happen to the running thread, here and now? Never switches threads. The
// caller then fails as the function it stands for would. A choice that was taken is recorded as an event.
bool fault_happens(std::uint32_t fault, LocationId location);

// For faults that are chosen in another way: counts it and keeps it for the report.
void note_fault(std::uint32_t fault, ThreadIndex thread, LocationId location, ContextId context);

[[nodiscard]] inline bool faults_left() {
  return g.block->result.faults < g.block->plan.max_faults;
}

}  // namespace ravel::rt
