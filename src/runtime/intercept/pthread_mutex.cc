// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Mutexes and spin locks.
#include "runtime/sync/virtual_mutex.h"

#include <errno.h>
#include <pthread.h>

#include "runtime/intercept/export.h"
#include "runtime/schedule/clock.h"
#include "runtime/sync/forked_child.h"

using namespace ravel;
using namespace ravel::rt;

namespace {
constexpr int kRobustBit = 16;  // of the kind, as the C library has it
}

RAVEL_EXPORT int pthread_mutex_consistent(pthread_mutex_t* m) noexcept {
  RAVEL_PASS_THROUGH(pthread_mutex_consistent, m);
  return mutex_consistent(m);
}

RAVEL_EXPORT int pthread_mutex_init(pthread_mutex_t* m, const pthread_mutexattr_t* attributes) noexcept {
  RAVEL_PASS_THROUGH(pthread_mutex_init, m, attributes);
  int kind = PTHREAD_MUTEX_DEFAULT;
  if (attributes != nullptr) {
    int robust = PTHREAD_MUTEX_STALLED;
    int shared = PTHREAD_PROCESS_PRIVATE;
    pthread_mutexattr_gettype(attributes, &kind);
    pthread_mutexattr_getrobust(attributes, &robust);
    pthread_mutexattr_getpshared(attributes, &shared);
    if (robust == PTHREAD_MUTEX_ROBUST) kind |= kRobustBit;
    if (shared == PTHREAD_PROCESS_SHARED) note(kNoteProcessShared);
  }
  return mutex_init(m, kind, RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_mutex_destroy(pthread_mutex_t* m) noexcept {
  RAVEL_PASS_THROUGH(pthread_mutex_destroy, m);
  return mutex_destroy(m, RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_mutex_lock(pthread_mutex_t* m) noexcept {
  if (!g.in_control) return lock_outside(m, RAVEL_CALLER);
  RAVEL_PASS_THROUGH(pthread_mutex_lock, m);
  return mutex_lock(m, kNever, RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_mutex_trylock(pthread_mutex_t* m) noexcept {
  RAVEL_PASS_THROUGH(pthread_mutex_trylock, m);
  return mutex_trylock(m, RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* m, const timespec* when) noexcept {
  RAVEL_PASS_THROUGH(pthread_mutex_timedlock, m, when);
  if (!valid_timespec(when)) return EINVAL;
  return mutex_lock(m, virtual_deadline(CLOCK_REALTIME, *when), RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* m, clockid_t clock, const timespec* when) noexcept {
  RAVEL_PASS_THROUGH(pthread_mutex_clocklock, m, clock, when);
  if (!valid_timespec(when)) return EINVAL;
  return mutex_lock(m, virtual_deadline(clock, *when), RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_mutex_unlock(pthread_mutex_t* m) noexcept {
  RAVEL_PASS_THROUGH(pthread_mutex_unlock, m);
  return mutex_unlock(m, RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_spin_init(pthread_spinlock_t* s, int shared) noexcept {
  RAVEL_PASS_THROUGH(pthread_spin_init, s, shared);
  return spin_init(s, RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_spin_destroy(pthread_spinlock_t* s) noexcept {
  RAVEL_PASS_THROUGH(pthread_spin_destroy, s);
  return spin_destroy(s, RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_spin_lock(pthread_spinlock_t* s) noexcept {
  RAVEL_PASS_THROUGH(pthread_spin_lock, s);
  return spin_lock(s, RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_spin_trylock(pthread_spinlock_t* s) noexcept {
  RAVEL_PASS_THROUGH(pthread_spin_trylock, s);
  return spin_trylock(s, RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_spin_unlock(pthread_spinlock_t* s) noexcept {
  RAVEL_PASS_THROUGH(pthread_spin_unlock, s);
  return spin_unlock(s, RAVEL_CALLER);
}
