// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Could a thread execute its pending operation now, and if not, may its wait end in another way?
#pragma once

#include "runtime/state/thread.h"
#include "semantics/mutex.h"

namespace ravel::rt {

[[nodiscard]] bool is_enabled(VirtualThread& thread);
// The same at once for who waits for nothing, or for a mutex, as many may at a time.
[[nodiscard]] inline bool can_run(VirtualThread& thread) {
  const Pending& pending = thread.pending;
  if (pending.enabled == nullptr) return true;
  if (pending.for_mutex && thread.wake == WakeReason::kNormal) {
    const auto* const mutex = reinterpret_cast<const MutexState*>(pending.address);
    if (mutex->owner_plus_one == 0) return true;
    if (is_plain_kind(mutex_kind(mutex)) && !has_signal(thread) && !thread.cancel_requested) return false;
  }
  return is_enabled(thread);
}
// By choice of the schedule, where the plan allows it.
[[nodiscard]] bool can_time_out(VirtualThread& thread);
[[nodiscard]] bool can_wake_spuriously(VirtualThread& thread);

}  // namespace ravel::rt
