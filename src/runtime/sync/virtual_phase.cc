// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/sync/virtual_phase.h"

#include "runtime/record/recorder.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/schedule/spin_point.h"
#include "runtime/sync/sync_operation.h"
#include "semantics/phase.h"

namespace ravel::rt {

namespace {
static_assert(sizeof(ravel_phase) == sizeof(PhaseState));
PhaseState& state_of(std::uintptr_t phase) {
  return *reinterpret_cast<PhaseState*>(phase);
}
}  // namespace

std::uint32_t phase_arrive(ravel_phase* phase, bool drops, bool& ended, LocationId location) {
  point(operation(OpKind::kPhaseArrive, phase, location));
  PhaseState& state = state_of(address_of(phase));
  const std::uint32_t which = state.phase;
  set_operand(state.needed);
  const std::uint64_t value = arrive(state, drops);
  ended = value == kFilledRound;
  record_pending(0, value);
  changed();
  return which;
}

void phase_wait(ravel_phase* phase, std::uint32_t which, LocationId location) {
  Pending pending = operation(OpKind::kPhaseWait, phase, location);
  pending.value = which;
  pending.enabled = [](const VirtualThread& thread) {
    return is_over(state_of(thread.pending.address), static_cast<std::uint32_t>(thread.pending.value));
  };
  point(pending);
  record_pending(0, which);
}

bool phase_is_over(ravel_phase* phase, std::uint32_t which, LocationId location) {
  const PhaseState& state = state_of(address_of(phase));
  if (!is_over(state, which) &&
      skip_unchanged_read(address_of(&phase->phase), sizeof phase->phase, location, OpKind::kPhaseTest) &&
      !is_over(state, which)) {
    return false;
  }
  Pending pending = operation(OpKind::kPhaseTest, phase, location);
  pending.value = which;
  point(pending);
  const bool over = is_over(state, which);
  record_pending(over ? 0 : kFailed, which);
  return over;
}

}  // namespace ravel::rt
