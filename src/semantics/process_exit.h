// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The end of the process. exit, quick_exit and the return of main run handlers and destructors, once: the thread that
// begins has two events, before and after them, and others that want the same wait for the end. _exit never waits.
#pragma once

#include <cstdint>

#include "semantics/answer.h"

namespace ravel {

// The order bits of kExit say how.
inline constexpr std::uint8_t kExitByHandlers = 0;
inline constexpr std::uint8_t kExitAtOnce = 1;

struct ExitState {
  std::uint32_t runner_plus_one = 0;  // of the handlers
};

// Somebody runs the handlers.
inline constexpr bool has_begun(const ExitState& state) {
  return state.runner_plus_one != 0;
}
inline constexpr bool can_exit(const ExitState& state, std::uint8_t how, ThreadIndex thread) {
  return how == kExitAtOnce || state.runner_plus_one == 0 || state.runner_plus_one == thread + 1;
}
inline constexpr void begin_exit(ExitState& state, std::uint8_t how, ThreadIndex thread) {
  if (how == kExitByHandlers) state.runner_plus_one = thread + 1;
}

inline Answer ask(const ExitState& state, const OperationView& op) {
  return {op.kind != OpKind::kExit || can_exit(state, op.bits & kOrderMask, op.thread)};
}
inline bool apply(ExitState& state, const OperationView& op) {
  if (op.kind != OpKind::kExit) return true;
  const bool agrees = can_exit(state, op.bits & kOrderMask, op.thread);
  begin_exit(state, op.bits & kOrderMask, op.thread);
  return agrees;
}

}  // namespace ravel
