// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/sync/virtual_semaphore.h"

#include <errno.h>
#include <string.h>

#include "runtime/record/recorder.h"
#include "runtime/schedule/faults.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/schedule/spin_point.h"
#include "runtime/schedule/upcalls.h"
#include "runtime/sync/misuse.h"
#include "runtime/sync/sync_operation.h"
#include "runtime/sync/wait_begin.h"
#include "semantics/semaphore.h"

namespace ravel::rt {

namespace {
SemState& state_of(sem_t* s) {
  return *reinterpret_cast<SemState*>(s);
}
}  // namespace

int semaphore_init(sem_t* s, unsigned value, LocationId location) {
  if (value > kSemaphoreMax) return EINVAL;
  memset(s, 0, sizeof *s);
  state_of(s).value = value;
  record(OpKind::kSemInit, 0, 0, address_of(s), location, value);
  return 0;
}

int semaphore_destroy(sem_t* s, LocationId location) {
  point(operation(OpKind::kSemDestroy, s, location));
  SyncResult result = destroy(state_of(s));
  if (result == SyncResult::kOk && somebody_waits_on(s)) result = SyncResult::kBusy;
  record_pending(result == SyncResult::kOk ? 0 : kFailed, 0);
  if (result != SyncResult::kOk) finish_misuse("semaphore", result, true, location);
  return 0;
}

int semaphore_wait(sem_t* s, std::uint64_t deadline, LocationId location) {
  if (fault_happens(kFaultEintr, location)) return EINTR;
  begin_wait(Interruption::kRestart, location);
  Pending pending = operation(OpKind::kSemWait, s, location);
  pending.deadline = deadline;
  pending.enabled = [](const VirtualThread& thread) {
    return thread.wake != WakeReason::kNormal || can_take(state_of(reinterpret_cast<sem_t*>(thread.pending.address)));
  };
  pending.interruption = Interruption::kRestart;
  pending.cancellable = true;
  point(pending);
  if (g.current->wake != WakeReason::kNormal) {
    const bool timeout = g.current->wake == WakeReason::kTimeout;
    record_pending(static_cast<std::uint8_t>(kFailed | (timeout ? kTimeout : 0)), state_of(s).value);
    act_on_cancellation();
    return timeout ? ETIMEDOUT : EINTR;
  }
  const SyncResult result = take(state_of(s));
  if (result == SyncResult::kInvalid) finish_misuse("semaphore", result, false, location);
  record_pending(0, state_of(s).value);
  changed();
  return 0;
}

int semaphore_trywait(sem_t* s, LocationId location) {
  SemState& state = state_of(s);
  if (!can_take(state) && skip_unchanged_read(address_of(s), sizeof state.value, location, OpKind::kSemTryWait) &&
      !can_take(state)) {
    return EAGAIN;
  }
  if (can_take(state)) g.current->spin.see_free(address_of(s), location);
  point(operation(OpKind::kSemTryWait, s, location));
  const SyncResult result = take(state);
  if (result == SyncResult::kInvalid) finish_misuse("semaphore", result, false, location);
  record_pending(result == SyncResult::kOk ? 0 : kFailed, state.value);
  if (result != SyncResult::kOk) return EAGAIN;
  changed();
  return 0;
}

int semaphore_post(sem_t* s, LocationId location) {
  point(operation(OpKind::kSemPost, s, location));
  const SyncResult result = post(state_of(s));
  if (result == SyncResult::kInvalid) finish_misuse("semaphore", result, false, location);
  record_pending(result == SyncResult::kOk ? 0 : kFailed, state_of(s).value);
  if (result == SyncResult::kOverflow) return EOVERFLOW;
  changed();
  return 0;
}

int semaphore_value(sem_t* s, LocationId location) {
  const SemState& state = state_of(s);
  if (skip_unchanged_read(address_of(s), sizeof state.value, location, OpKind::kSemValue)) {
    return static_cast<int>(state.value);
  }
  point(operation(OpKind::kSemValue, s, location));
  record_pending(0, state.value);
  return static_cast<int>(state.value);
}

}  // namespace ravel::rt
