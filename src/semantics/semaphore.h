// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// POSIX semaphores: a counter; anyone may post. (std::counting_semaphore is atomics and futexes, not this.)
#pragma once

#include <cstdint>
#include <type_traits>

#include "semantics/answer.h"
#include "semantics/sync_result.h"

namespace ravel {

inline constexpr std::uint32_t kSemaphoreMax = 0x7fffffffu;  // SEM_VALUE_MAX

struct SemState {
  std::uint32_t value = 0;
  std::uint32_t waiters = 0;  // the runtime's: a destroy while threads wait is a misuse; kDestroyed: destroyed
};
static_assert(sizeof(SemState) == 8 && std::is_trivially_copyable_v<SemState>);

inline bool is_destroyed(const SemState& s) {
  return s.waiters == kDestroyed;
}
inline bool can_take(const SemState& s) {
  return s.value != 0 || is_destroyed(s);
}
// Both sem_wait (kBusy: it has to wait) and sem_trywait (kBusy: it fails).
inline SyncResult take(SemState& s) {
  if (is_destroyed(s)) return SyncResult::kInvalid;
  if (s.value == 0) return SyncResult::kBusy;
  --s.value;
  return SyncResult::kOk;
}
inline SyncResult post(SemState& s) {
  if (is_destroyed(s)) return SyncResult::kInvalid;
  if (s.value >= kSemaphoreMax) return SyncResult::kOverflow;
  ++s.value;
  return SyncResult::kOk;
}
// Every event of a semaphore carries the value behind it.
inline Answer ask(const SemState& s, const OperationView& op) {
  SemState after = s;
  switch (op.kind) {
    case OpKind::kSemWait:
      if (!can_take(s)) return {false};
      return answer_of(take(after));
    case OpKind::kSemTryWait:
      return answer_of(take(after));
    case OpKind::kSemPost:
      return answer_of(post(after));
    default:
      return {};
  }
}
inline bool apply(SemState& s, const OperationView& op) {
  if (did_fail(op)) return true;
  switch (op.kind) {
    case OpKind::kSemWait:
    case OpKind::kSemTryWait:
      return take(s) == SyncResult::kOk;
    case OpKind::kSemPost:
      return post(s) == SyncResult::kOk;
    default:
      return true;
  }
}
// The value before an operation, from what it recorded.
inline std::uint32_t value_before(const OperationView& op) {
  SemState state{static_cast<std::uint32_t>(op.value), 0};
  if (did_fail(op)) return state.value;
  if (op.kind == OpKind::kSemPost) return state.value - 1;
  return op.kind == OpKind::kSemWait || op.kind == OpKind::kSemTryWait ? state.value + 1 : state.value;
}

inline SyncResult destroy(SemState& s) {
  if (is_destroyed(s)) return SyncResult::kInvalid;
  if (s.waiters != 0) return SyncResult::kBusy;
  s.waiters = kDestroyed;
  return SyncResult::kOk;
}

}  // namespace ravel
