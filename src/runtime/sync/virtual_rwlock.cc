// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/sync/virtual_rwlock.h"

#include <errno.h>
#include <string.h>

#include "runtime/record/recorder.h"
#include "runtime/schedule/faults.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/schedule/spin_point.h"
#include "runtime/sync/misuse.h"
#include "runtime/sync/sync_operation.h"

namespace ravel::rt {

namespace {
bool prefers_writers(const pthread_rwlock_t* l) {
  return l->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}
std::uint64_t kind_value(const pthread_rwlock_t* l) {
  return prefers_writers(l) ? kPrefersWriters : 0;
}
}  // namespace

// PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP: readers stay outside while a writer waits, also those who are inside
// already.
ThreadIndex waiting_writer(const pthread_rwlock_t* l) {
  if (!prefers_writers(l)) return kNoThread;
  VirtualThread* const* list = nullptr;
  const std::uint32_t live = live_threads(list);
  for (std::uint32_t i = 0; i < live; ++i) {
    const VirtualThread& other = *list[i];
    const bool wants_it = other.pending.kind == OpKind::kRwWriteLock && other.wake == WakeReason::kNormal &&
                          other.pending.address == reinterpret_cast<std::uintptr_t>(l);
    if (wants_it && !can_write_lock(*reinterpret_cast<const RwState*>(l), other.index)) return other.index;
  }
  return kNoThread;
}

namespace {

bool behind_writer(const pthread_rwlock_t* l) {
  return waiting_writer(l) != kNoThread;
}

bool may_enter(const VirtualThread& thread) {
  auto* const l = reinterpret_cast<pthread_rwlock_t*>(thread.pending.address);
  const RwState& state = state_of(l);
  if (thread.wake == WakeReason::kTimeout) return true;
  if (thread.pending.kind == OpKind::kRwReadLock && writer(state) == kNoThread && behind_writer(l)) return false;
  return thread.pending.kind == OpKind::kRwWriteLock ? can_write_lock(state, thread.index)
                                                     : can_read_lock(state, thread.index);
}

int finish_lock(pthread_rwlock_t* l, SyncResult result, LocationId location) {
  if (result == SyncResult::kInvalid) finish_misuse("rwlock", result, false, location);
  record_pending(result == SyncResult::kOk ? 0 : kFailed, kind_value(l));
  switch (result) {
    case SyncResult::kOk: {
      RwState& state = state_of(l);
      state.held_since = location;
      state.held_context = g.current->calls.context();
      changed();
      return 0;
    }
    case SyncResult::kSelfDeadlock:
      return EDEADLK;
    case SyncResult::kOverflow:
      return EAGAIN;
    default:
      return EBUSY;
  }
}

}  // namespace

int rwlock_init(pthread_rwlock_t* l, int kind, LocationId location) {
  memset(l, 0, sizeof *l);
  l->__data.__flags = static_cast<unsigned>(kind);
  record(OpKind::kRwInit, 0, 0, address_of(l), location, 0);
  return 0;
}

int rwlock_destroy(pthread_rwlock_t* l, LocationId location) {
  point(operation(OpKind::kRwDestroy, l, location));
  SyncResult result = destroy(state_of(l));
  if (result == SyncResult::kOk && somebody_waits_on(l)) result = SyncResult::kBusy;
  record_pending(result == SyncResult::kOk ? 0 : kFailed, 0);
  if (result != SyncResult::kOk) finish_misuse("rwlock", result, true, location);
  return 0;
}

namespace {
// A writer that has to wait keeps readers outside from now on: others can tell, so there is a point before it. True: it
// need not wait, and takes the lock in this step.
bool writer_enters(pthread_rwlock_t* l, LocationId location) {
  Pending pending = operation(OpKind::kRwTryWriteLock, l, location);
  pending.value = kQueued;
  point(pending);
  if (can_write_lock(state_of(l), g.current->index)) {
    g.current->pending.kind = OpKind::kRwWriteLock;
    return true;
  }
  record_pending(kFailed, kQueued);
  return false;
}
}  // namespace

int rwlock_lock(pthread_rwlock_t* l, bool write, std::uint64_t deadline, LocationId location) {
  if (write && prefers_writers(l) && writer_enters(l, location)) {
    return finish_lock(l, write_lock(state_of(l), g.current->index), location);
  }
  Pending pending = operation(write ? OpKind::kRwWriteLock : OpKind::kRwReadLock, l, location);
  pending.value = kind_value(l);
  pending.deadline = deadline;
  pending.enabled = may_enter;
  point(pending);
  if (g.current->wake == WakeReason::kTimeout) {
    record_pending(kFailed | kTimeout, kind_value(l));
    return ETIMEDOUT;
  }
  RwState& state = state_of(l);
  const ThreadIndex self = g.current->index;
  return finish_lock(l, write ? write_lock(state, self) : read_lock(state, self), location);
}

int rwlock_trylock(pthread_rwlock_t* l, bool write, LocationId location) {
  RwState& state = state_of(l);
  const OpKind kind = write ? OpKind::kRwTryWriteLock : OpKind::kRwTryReadLock;
  const ThreadIndex self = g.current->index;
  const auto busy = [&] {
    return write ? !can_write_lock(state, self) : !can_read_lock(state, self) || behind_writer(l);
  };
  // Writer and reader count are the first eight bytes of the state.
  if (busy() && skip_unchanged_read(address_of(l), 8, location, kind) && busy()) return EBUSY;
  if (!busy()) g.current->spin.see_free(address_of(l), location);
  Pending pending = operation(kind, l, location);
  pending.value = kind_value(l);
  point(pending);
  if (!busy() && fault_happens(kFaultTryLock, location)) {
    record_pending(kFailed | kSpurious, kind_value(l));
    return EBUSY;
  }
  SyncResult result = SyncResult::kBusy;
  if (write) {
    result = try_write_lock(state, self);
  } else if (!behind_writer(l)) {
    result = try_read_lock(state, self);
  }
  return finish_lock(l, result, location);
}

int rwlock_unlock(pthread_rwlock_t* l, LocationId location) {
  Pending pending = operation(OpKind::kRwUnlock, l, location);
  pending.value = kind_value(l);
  point(pending);
  RwState& state = state_of(l);
  const std::uint64_t value = unlock_value(state) | kind_value(l);
  const SyncResult result = unlock(state, g.current->index);
  record_pending(result == SyncResult::kOk ? 0 : kFailed, value);
  if (result != SyncResult::kOk) finish_misuse("rwlock", result, false, location);
  changed();
  return 0;
}

}  // namespace ravel::rt
