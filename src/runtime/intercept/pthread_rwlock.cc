// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Reader-writer locks.
#include "runtime/sync/virtual_rwlock.h"

#include <errno.h>
#include <pthread.h>
#include <sys/single_threaded.h>

#include "runtime/intercept/export.h"
#include "runtime/schedule/clock.h"

using namespace ravel;
using namespace ravel::rt;

namespace {

// The constructors of shared libraries run before we are in control. What a writer leaves behind in glibc's lock, the
// phase of writers, would be a holder to us; a free lock as it was initialised is the same lock.
void leave_no_phase(pthread_rwlock_t* l) {
  constexpr unsigned kWritersPhase = 1;
  if (l->__data.__readers != kWritersPhase || l->__data.__writers != 0) return;
  l->__data.__readers = 0;
  l->__data.__wrphase_futex = 0;
}

}  // namespace

RAVEL_EXPORT int pthread_rwlock_init(pthread_rwlock_t* l, const pthread_rwlockattr_t* attributes) noexcept {
  RAVEL_PASS_THROUGH(pthread_rwlock_init, l, attributes);
  int kind = PTHREAD_RWLOCK_DEFAULT_NP;
  int shared = PTHREAD_PROCESS_PRIVATE;
  if (attributes != nullptr) {
    pthread_rwlockattr_getkind_np(attributes, &kind);
    pthread_rwlockattr_getpshared(attributes, &shared);
  }
  if (shared == PTHREAD_PROCESS_SHARED) note(kNoteProcessShared);
  return rwlock_init(l, kind, RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t* l) noexcept {
  RAVEL_PASS_THROUGH(pthread_rwlock_destroy, l);
  return rwlock_destroy(l, RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t* l) noexcept {
  RAVEL_PASS_THROUGH(pthread_rwlock_rdlock, l);
  return rwlock_lock(l, false, kNever, RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t* l) noexcept {
  RAVEL_PASS_THROUGH(pthread_rwlock_tryrdlock, l);
  return rwlock_trylock(l, false, RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t* l, const timespec* when) noexcept {
  RAVEL_PASS_THROUGH(pthread_rwlock_timedrdlock, l, when);
  if (!valid_timespec(when)) return EINVAL;
  return rwlock_lock(l, false, virtual_deadline(CLOCK_REALTIME, *when), RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t* l, clockid_t clock, const timespec* when) noexcept {
  RAVEL_PASS_THROUGH(pthread_rwlock_clockrdlock, l, clock, when);
  if (!valid_timespec(when)) return EINVAL;
  return rwlock_lock(l, false, virtual_deadline(clock, *when), RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t* l) noexcept {
  RAVEL_PASS_THROUGH(pthread_rwlock_wrlock, l);
  return rwlock_lock(l, true, kNever, RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t* l) noexcept {
  RAVEL_PASS_THROUGH(pthread_rwlock_trywrlock, l);
  return rwlock_trylock(l, true, RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t* l, const timespec* when) noexcept {
  RAVEL_PASS_THROUGH(pthread_rwlock_timedwrlock, l, when);
  if (!valid_timespec(when)) return EINVAL;
  return rwlock_lock(l, true, virtual_deadline(CLOCK_REALTIME, *when), RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t* l, clockid_t clock, const timespec* when) noexcept {
  RAVEL_PASS_THROUGH(pthread_rwlock_clockwrlock, l, clock, when);
  if (!valid_timespec(when)) return EINVAL;
  return rwlock_lock(l, true, virtual_deadline(clock, *when), RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t* l) noexcept {
  if (!g.in_control || is_unwinder(__builtin_return_address(0))) {
    const int result = real().pthread_rwlock_unlock(l);
    if (result == 0 && __libc_single_threaded != 0) leave_no_phase(l);
    return result;
  }
  return rwlock_unlock(l, RAVEL_CALLER);
}
