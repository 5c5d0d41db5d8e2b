// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// POSIX semaphores: a counter; anyone may post. (std::counting_semaphore is atomics and futexes, not this.)
#pragma once

#include <cstdint>
#include <type_traits>

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
inline SyncResult destroy(SemState& s) {
  if (is_destroyed(s)) return SyncResult::kInvalid;
  if (s.waiters != 0) return SyncResult::kBusy;
  s.waiters = kDestroyed;
  return SyncResult::kOk;
}

}  // namespace ravel
