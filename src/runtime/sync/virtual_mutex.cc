// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/sync/virtual_mutex.h"

#include <errno.h>
#include <string.h>

#include "runtime/record/recorder.h"
#include "runtime/schedule/faults.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/schedule/spin_point.h"
#include "runtime/sync/misuse.h"
#include "runtime/sync/sync_operation.h"
#include "semantics/robust.h"

namespace ravel::rt {

namespace {

ThreadIndex self() {
  return g.current->index;
}

void note_holder(MutexState& state, LocationId location) {
  if (state.count != 1) return;
  state.held_since = location;
  state.held_context = g.current->calls.context();
}

// Robust mutexes have a word of the object that neither glibc's initialisers nor MutexState use.
RobustMark& robust_of(pthread_mutex_t* m) {
  return reinterpret_cast<RobustMark*>(m)[6];
}
bool is_robust(const pthread_mutex_t* m) {
  return (m->__data.__kind & kRobustKind) != 0;
}

bool is_live(ThreadIndex index) {
  VirtualThread* const* list = nullptr;
  const std::uint32_t live = live_threads(list);
  for (std::uint32_t i = 0; i < live; ++i) {
    if (list[i]->index == index) return true;
  }
  return false;
}

bool owner_died(pthread_mutex_t* m) {
  return is_robust(m) && owner(state_of(m)) != kNoThread && !is_live(owner(state_of(m)));
}

// It was locked or unlocked.
void mutex_changed(const pthread_mutex_t* m) {
  if (is_plain_kind(m->__data.__kind)) {
    changed_mutex(address_of(m));
  } else {
    changed();
  }
}

void remember_robust(pthread_mutex_t* m, pthread_mutex_t* instead_of) {
  for (pthread_mutex_t*& one : g.current->robust) {
    if (one != instead_of) continue;
    one = m;
    return;
  }
}

// The thread has just taken the mutex, or found that nobody can have it any more.
int robust_result(pthread_mutex_t* m, bool after_death) {
  if (!is_robust(m)) return 0;
  if (state_of(m).count == 1) remember_robust(m, nullptr);
  if (after_death) robust_of(m) = RobustMark::kOwnerDied;
  if (refuses(robust_of(m))) {
    (void)unlock(state_of(m), self());
    remember_robust(nullptr, m);
    return ENOTRECOVERABLE;
  }
  return after_death ? EOWNERDEAD : 0;
}

// True: there was a dead owner, whose hold is gone now.
bool take_from_dead(pthread_mutex_t* m) {
  if (is_robust(m) && owner(state_of(m)) == kNoThread) return robust_of(m) == RobustMark::kOwnerDied;
  if (!owner_died(m)) return false;
  state_of(m) = {};
  return true;
}

}  // namespace

void leave_robust_mutexes() {
  for (pthread_mutex_t*& one : g.current->robust) {
    if (one == nullptr) continue;
    pthread_mutex_t* const m = one;
    one = nullptr;
    point(operation(OpKind::kMutexUnlock, m, 0));
    state_of(m) = {};
    robust_of(m) = mark_behind_unlock(kUnlockByDeath);
    record_pending(0, kUnlockByDeath);
    changed();
  }
}

int mutex_consistent(pthread_mutex_t* m) {
  if (!is_robust(m) || robust_of(m) != RobustMark::kOwnerDied || owner(state_of(m)) != self()) return EINVAL;
  robust_of(m) = RobustMark::kConsistent;
  return 0;
}

int mutex_init(pthread_mutex_t* m, int kind, LocationId location) {
  memset(m, 0, sizeof *m);
  m->__data.__kind = kind;
  record(OpKind::kMutexInit, 0, 0, address_of(m), location, 0);
  return 0;
}

int mutex_destroy(pthread_mutex_t* m, LocationId location) {
  const Pending pending = operation(OpKind::kMutexDestroy, m, location);
  point(pending);
  SyncResult result = destroy(state_of(m));
  if (result == SyncResult::kOk && somebody_waits_on(m)) result = SyncResult::kBusy;
  record_pending(result == SyncResult::kOk ? 0 : kFailed, 0);
  if (result != SyncResult::kOk) finish_misuse("mutex", result, true, location);
  return 0;
}

int mutex_lock(pthread_mutex_t* m, std::uint64_t deadline, LocationId location) {
  Pending pending = operation(OpKind::kMutexLock, m, location);
  pending.deadline = deadline;
  pending.for_mutex = deadline == kNever;
  pending.enabled = [](const VirtualThread& thread) {
    return thread.wake == WakeReason::kTimeout ||
           can_lock_mutex(reinterpret_cast<pthread_mutex_t*>(thread.pending.address), thread);
  };
  point(pending);
  if (g.current->wake == WakeReason::kTimeout) {
    record_pending(kFailed | kTimeout, 0);
    return ETIMEDOUT;
  }
  MutexState& state = state_of(m);
  const bool after_death = take_from_dead(m);
  const SyncResult result = lock(state, mutex_type(m), self());
  if (result == SyncResult::kInvalid) finish_misuse("mutex", result, false, location);
  if (result == SyncResult::kOk) note_holder(state, location);
  const int robust = result == SyncResult::kOk ? robust_result(m, after_death) : 0;
  record_pending(result == SyncResult::kOk && robust != ENOTRECOVERABLE ? 0 : kFailed, 0);
  if (result == SyncResult::kSelfDeadlock) return EDEADLK;
  if (result == SyncResult::kOverflow) return EAGAIN;
  mutex_changed(m);
  return robust;
}

int mutex_trylock(pthread_mutex_t* m, LocationId location) {
  MutexState& state = state_of(m);
  const bool mine = owner(state) == self();
  const bool stutter = owner(state) != kNoThread && !mine && !is_robust(m) &&
                       skip_unchanged_read(address_of(m), sizeof state.owner_plus_one, location, OpKind::kMutexTryLock);
  if (stutter && owner(state) != kNoThread) return EBUSY;
  if (owner(state) == kNoThread) g.current->spin.see_free(address_of(m), location);
  point(operation(OpKind::kMutexTryLock, m, location));
  const bool after_death = take_from_dead(m);
  if (owner(state) == kNoThread && fault_happens(kFaultTryLock, location)) {
    record_pending(kFailed | kSpurious, 0);
    return EBUSY;
  }
  const SyncResult result = try_lock(state, mutex_type(m), self());
  if (result == SyncResult::kInvalid) finish_misuse("mutex", result, false, location);
  if (result == SyncResult::kOk) note_holder(state, location);
  const int robust = result == SyncResult::kOk ? robust_result(m, after_death) : 0;
  record_pending(result == SyncResult::kOk && robust != ENOTRECOVERABLE ? 0 : kFailed, 0);
  if (result == SyncResult::kOverflow) return EAGAIN;
  if (result != SyncResult::kOk) return EBUSY;
  mutex_changed(m);
  return robust;
}

int mutex_unlock(pthread_mutex_t* m, LocationId location) {
  point(operation(OpKind::kMutexUnlock, m, location));
  const SyncResult result = unlock(state_of(m), self());
  const bool frees = result == SyncResult::kOk && is_robust(m) && owner(state_of(m)) == kNoThread;
  const std::uint64_t value = frees ? unlock_value(robust_of(m)) : 0;
  record_pending(result == SyncResult::kOk ? 0 : kFailed, value);
  if (result != SyncResult::kOk) {
    // Recursive and error-checking mutexes promise EPERM; for a normal one it is undefined.
    if ((mutex_type(m) != MutexType::kNormal || is_robust(m)) && result != SyncResult::kInvalid) return EPERM;
    finish_misuse("mutex", result, false, location);
  }
  if (frees) {
    remember_robust(nullptr, m);
    if (!refuses(robust_of(m))) robust_of(m) = mark_behind_unlock(value);
  }
  mutex_changed(m);
  return 0;
}

void unlock_for_wait(pthread_mutex_t* m, LocationId location) {
  const SyncResult result = unlock(state_of(m), self());
  if (result != SyncResult::kOk) finish_misuse("condition variable waited on without holding the mutex", location);
  changed();
}

void lock_after_wait(pthread_mutex_t* m, LocationId location) {
  MutexState& state = state_of(m);
  (void)lock(state, mutex_type(m), self());
  note_holder(state, location);
  changed();
}

bool can_lock_mutex(pthread_mutex_t* m, const VirtualThread& thread) {
  return can_lock(state_of(m), mutex_type(m), thread.index) || owner_died(m);
}

int spin_init(pthread_spinlock_t* s, LocationId location) {
  *s = 0;
  record(OpKind::kMutexInit, 0, 0, address_of(s), location, 0);
  return 0;
}

int spin_destroy(pthread_spinlock_t* s, LocationId location) {
  point(operation(OpKind::kMutexDestroy, s, location));
  const SyncResult result = destroy(state_of(s));
  record_pending(result == SyncResult::kOk ? 0 : kFailed, 0);
  if (result != SyncResult::kOk) finish_misuse("spin lock", result, true, location);
  return 0;
}

int spin_lock(pthread_spinlock_t* s, LocationId location) {
  Pending pending = operation(OpKind::kMutexLock, s, location);
  pending.size = sizeof(SpinState);
  pending.enabled = [](const VirtualThread& thread) {
    return can_lock(state_of(reinterpret_cast<pthread_spinlock_t*>(thread.pending.address)), thread.index);
  };
  point(pending);
  const SyncResult result = lock(state_of(s), self());
  if (result == SyncResult::kInvalid) finish_misuse("spin lock", result, false, location);
  record_pending(0, 0);
  changed();
  return 0;
}

int spin_trylock(pthread_spinlock_t* s, LocationId location) {
  SpinState& state = state_of(s);
  const bool stutter =
      owner(state) != kNoThread && skip_unchanged_read(address_of(s), sizeof state, location, OpKind::kMutexTryLock);
  if (stutter && owner(state) != kNoThread) return EBUSY;
  if (owner(state) == kNoThread) g.current->spin.see_free(address_of(s), location);
  point(operation(OpKind::kMutexTryLock, s, location));
  if (owner(state) == kNoThread && fault_happens(kFaultTryLock, location)) {
    record_pending(kFailed | kSpurious, 0);
    return EBUSY;
  }
  const SyncResult result = try_lock(state, self());
  if (result == SyncResult::kInvalid) finish_misuse("spin lock", result, false, location);
  record_pending(result == SyncResult::kOk ? 0 : kFailed, 0);
  if (result != SyncResult::kOk) return EBUSY;
  changed();
  return 0;
}

int spin_unlock(pthread_spinlock_t* s, LocationId location) {
  point(operation(OpKind::kMutexUnlock, s, location));
  const SyncResult result = unlock(state_of(s), self());
  record_pending(result == SyncResult::kOk ? 0 : kFailed, 0);
  if (result != SyncResult::kOk) finish_misuse("spin lock", result, false, location);
  changed();
  return 0;
}

}  // namespace ravel::rt
