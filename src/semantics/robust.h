// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Robust mutexes: when the owner ends, the next one to lock is told so and may repair what the mutex protects. If it
// gives the mutex back without having said that it did, nobody gets it again. Beside the state of any mutex there is
// one mark. Of what the owner does with it only the unlock is an operation; its value says what it leaves behind.
#pragma once

#include <cstdint>

#include "semantics/mutex.h"

namespace ravel {

enum class RobustMark : std::int32_t { kConsistent, kOwnerDied, kNotRecoverable };

// Event::value of kMutexUnlock, beside kUnlockByDeath.
inline constexpr std::uint64_t kUnlockUnrepaired = 2;

// A mutex that is not robust keeps its mark for ever.
struct RobustState {
  MutexState mutex;
  RobustMark mark = RobustMark::kConsistent;
};

// The value of the unlock that frees the mutex.
inline std::uint64_t unlock_value(RobustMark mark) {
  return mark == RobustMark::kOwnerDied ? kUnlockUnrepaired : 0;
}
inline RobustMark mark_behind_unlock(std::uint64_t value) {
  if (value == kUnlockByDeath) return RobustMark::kOwnerDied;
  return value == kUnlockUnrepaired ? RobustMark::kNotRecoverable : RobustMark::kConsistent;
}
// Whoever could lock the mutex gets nothing but an error.
inline bool refuses(RobustMark mark) {
  return mark == RobustMark::kNotRecoverable;
}

inline Answer ask(const RobustState& state, const OperationView& op) {
  Answer answer = ask(state.mutex, op);
  const bool takes = op.kind == OpKind::kMutexLock || op.kind == OpKind::kMutexTryLock;
  if (takes && answer.enabled && owner(state.mutex) == kNoThread && refuses(state.mark)) answer.fails = true;
  return answer;
}
inline bool apply(RobustState& state, const OperationView& op) {
  const bool agrees = apply(state.mutex, op);
  if (op.kind != OpKind::kMutexUnlock || did_fail(op)) return agrees;
  if (op.value == kUnlockByDeath) state.mutex = {};
  if (owner(state.mutex) == kNoThread && !refuses(state.mark)) state.mark = mark_behind_unlock(op.value);
  return agrees;
}

}  // namespace ravel
