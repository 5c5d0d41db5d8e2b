// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Both ends of a schedule: the planned choices that are consumed, and the choices made, which are recorded run-length
// encoded with their alternatives. One choice per decision; forced moves are no decisions.
#pragma once

#include <cstdint>

namespace ravel::rt {

void begin_schedule_log();

// The next choice of the plan's prefix; false when the prefix is used up.
bool next_planned_choice(std::uint32_t& choice);

void log_choice(std::uint32_t choice, std::uint32_t options, std::uint64_t enabled_mask);

// The plan named a choice that is not possible. Ends the execution, unless the plan lets the policy go on.
void diverged(std::uint32_t expected);

// A data choice that the plan does not fix; seeded.
std::uint32_t random_alternative(std::uint32_t n);

// The same for faults: at most one in many chances.
bool fault_is_due();

// Choices of the prefix that were not reached.
std::uint32_t planned_choices_left();

}  // namespace ravel::rt
