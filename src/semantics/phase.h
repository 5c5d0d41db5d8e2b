// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Latches and std::barrier: a phase is over when as many have arrived as are needed. Unlike at a POSIX barrier, who
// arrives need not wait, and who waits need not have arrived. A latch has one phase.
#pragma once

#include <cstdint>
#include <type_traits>

#include "semantics/answer.h"
#include "semantics/barrier.h"

namespace ravel {

struct PhaseState {
  std::uint32_t needed = 0;
  std::uint32_t arrived = 0;
  std::uint32_t phase = 0;    // of those that are over
  std::uint32_t dropped = 0;  // of those who arrived in this phase: they will not come again
};
static_assert(sizeof(PhaseState) == 16 && std::is_trivially_copyable_v<PhaseState>);

// Event::value of kPhaseArrive.
inline std::uint64_t arrive(PhaseState& state, bool drops) {
  state.dropped += drops ? 1 : 0;
  if (++state.arrived < state.needed) return kOthersMissing;
  state.needed -= state.dropped;
  state.arrived = state.dropped = 0;
  ++state.phase;
  return kFilledRound;
}
inline constexpr bool is_over(const PhaseState& state, std::uint32_t phase) {
  return state.phase != phase;
}

inline Answer ask(const PhaseState& state, const OperationView& op) {
  if (op.kind == OpKind::kPhaseArrive) {
    return {true, false, state.arrived + 1 < state.needed ? kOthersMissing : kFilledRound};
  }
  const bool over = is_over(state, static_cast<std::uint32_t>(op.value));
  return op.kind == OpKind::kPhaseWait ? Answer{over, false, op.value} : Answer{true, !over, op.value};
}
// `needed` is recorded with each arrival.
inline bool apply(PhaseState& state, const OperationView& op) {
  const Answer before = ask(state, op);
  if (op.kind != OpKind::kPhaseArrive) return before.enabled && before.fails == did_fail(op);
  return arrive(state, false) == op.value && before.value == op.value;
}

}  // namespace ravel
