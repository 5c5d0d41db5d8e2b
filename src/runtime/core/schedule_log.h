// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Both ends of a schedule: the planned choices that are consumed, and the choices made, which are recorded run-length
// encoded with their alternatives. One choice per decision; forced moves are no decisions.
#pragma once

#include <cstdint>

namespace ravel::rt {

struct VirtualThread;

void begin_schedule_log();

// The next choice of the plan's prefix; false when the prefix is used up.
bool next_planned_choice(std::uint32_t& choice);

// Plans by step: the prefix has an entry for every scheduling point.
bool takes_steps();
// `thread` passes a point where there is no alternative; diverges when the prefix means another.
void pass_step(std::uint32_t thread);
// The last planned choice was looked at only.
void put_back_choice();

void log_choice(std::uint32_t choice, std::uint32_t options, std::uint32_t current, std::uint32_t enabled_at);
// The threads that can run, in order of creation; where they stand in SharedBlock::enabled.
std::uint32_t log_enabled(VirtualThread* const* ready, std::uint32_t count);

// The plan named a choice that is not possible. Ends the execution, unless the plan lets the policy go on.
void diverged(std::uint32_t expected);

// A data choice that the plan does not fix; seeded.
std::uint32_t random_alternative(std::uint32_t n);

// Choices of the prefix that were not reached.
std::uint32_t planned_choices_left();

}  // namespace ravel::rt
