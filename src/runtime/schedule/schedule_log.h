// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Both ends of a schedule: the planned choices that are consumed, and the choices made, which are recorded run-length
// encoded with their alternatives. One choice per decision; forced moves are no decisions.
#pragma once

#include <cstdint>

#include "runtime/platform/hidden.h"
#include "runtime/state/state.h"

namespace ravel::rt {

void begin_schedule_log();

RAVEL_HIDDEN extern bool g_following_plan;  // choices of the prefix are left, perhaps
bool take_planned_choice(std::uint32_t& choice);
// The next choice of the plan's prefix; false when the prefix is used up.
inline bool next_planned_choice(std::uint32_t& choice) {
  return g_following_plan && take_planned_choice(choice);
}

// Plans by turns: who should run, among those `can_run` accepts; kNoThread: nobody in particular.
bool follows_turns();
ThreadIndex thread_in_turn(bool (*can_run)(ThreadIndex));
bool take_planned_alternative(std::uint32_t n, std::uint32_t& alternative);

// Plans by step: the prefix has an entry for every scheduling point.
bool takes_steps();
// `thread` passes a point where there is no alternative; diverges when the prefix means another.
void pass_step(std::uint32_t thread);
// The last planned choice was looked at only.
void put_back_choice();

// The threads that can run, in order of creation; where they stand in SharedBlock::enabled.
inline std::uint32_t log_enabled(VirtualThread* const* ready, std::uint32_t count) {
  SharedBlock& block = *g.block;
  const std::uint32_t at = block.result.enabled;
  if (block.result.decisions >= kMaxDecisions || count > kMaxEnabled - at) return kNotListed;
  for (std::uint32_t i = 0; i < count; ++i) block.enabled[at + i] = ready[i]->index;
  block.result.enabled = at + count;
  return at;
}

inline void log_choice(std::uint32_t choice, std::uint32_t options, ThreadIndex current, std::uint32_t enabled_at) {
  SharedBlock& block = *g.block;
  ExecutionResult& result = block.result;
  const std::uint32_t number = result.decisions++;
  if (number < kMaxDecisions) block.decisions[number] = {choice, options, current, enabled_at};
  Segment& last = block.schedule[result.segments - 1u < kMaxSegments ? result.segments - 1 : 0];
  if (result.segments != 0 && last.thread == choice) {
    ++last.count;
  } else if (result.segments < kMaxSegments) {
    block.schedule[result.segments++] = {choice, 1};
  } else {
    result.schedule_truncated = 1;
  }
}

// The plan named a choice that is not possible. Ends the execution, unless the plan lets the policy go on.
void diverged(std::uint32_t expected);

// A data choice that the plan does not fix; seeded.
std::uint32_t random_alternative(std::uint32_t n);

// The same for faults: at most one in many chances.
bool fault_is_due();

// Choices of the prefix that were not reached.
std::uint32_t planned_choices_left();

}  // namespace ravel::rt
