// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Mutexes, spin locks and the C11 names of mutexes.
#include "free/intercept/lock_calls.h"
#include "free/noise/timeout_tamper.h"

using namespace ravel;
using namespace ravel::fr;

RAVEL_FREE_EXPORT int pthread_mutex_lock(pthread_mutex_t* m) noexcept {
  return lock_with(
      {OpKind::kMutexLock, m, RAVEL_FREE_CALLER}, false, [m] { return library().pthread_mutex_trylock(m); },
      [m] { return library().pthread_mutex_lock(m); });
}

RAVEL_FREE_EXPORT int pthread_mutex_trylock(pthread_mutex_t* m) noexcept {
  return try_with({OpKind::kMutexTryLock, m, RAVEL_FREE_CALLER}, [m] { return library().pthread_mutex_trylock(m); });
}

RAVEL_FREE_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* m, const timespec* when) noexcept {
  const Deadline until(CLOCK_REALTIME, when);
  return lock_with(
      {OpKind::kMutexLock, m, RAVEL_FREE_CALLER}, true, [m] { return library().pthread_mutex_trylock(m); },
      [&] { return library().pthread_mutex_timedlock(m, until.get()); });
}

RAVEL_FREE_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* m, clockid_t clock, const timespec* when) noexcept {
  const Deadline until(clock, when);
  return lock_with(
      {OpKind::kMutexLock, m, RAVEL_FREE_CALLER}, true, [m] { return library().pthread_mutex_trylock(m); },
      [&] { return library().pthread_mutex_clocklock(m, clock, until.get()); });
}

RAVEL_FREE_EXPORT int pthread_mutex_unlock(pthread_mutex_t* m) noexcept {
  return unlock_with({OpKind::kMutexUnlock, m, RAVEL_FREE_CALLER}, [m] { return library().pthread_mutex_unlock(m); });
}

RAVEL_FREE_EXPORT int pthread_spin_lock(pthread_spinlock_t* s) noexcept {
  return lock_with(
      {OpKind::kMutexLock, s, RAVEL_FREE_CALLER}, false, [s] { return library().pthread_spin_trylock(s); },
      [s] { return library().pthread_spin_lock(s); });
}

RAVEL_FREE_EXPORT int pthread_spin_trylock(pthread_spinlock_t* s) noexcept {
  return try_with({OpKind::kMutexTryLock, s, RAVEL_FREE_CALLER}, [s] { return library().pthread_spin_trylock(s); });
}

RAVEL_FREE_EXPORT int pthread_spin_unlock(pthread_spinlock_t* s) noexcept {
  return unlock_with({OpKind::kMutexUnlock, s, RAVEL_FREE_CALLER}, [s] { return library().pthread_spin_unlock(s); });
}

// The C library's own mutexes under other names; thrd_success is 0.
static_assert(thrd_success == 0);

RAVEL_FREE_EXPORT int mtx_lock(mtx_t* m) {
  return lock_with(
      {OpKind::kMutexLock, m, RAVEL_FREE_CALLER}, false, [m] { return library().mtx_trylock(m); },
      [m] { return library().mtx_lock(m); });
}

RAVEL_FREE_EXPORT int mtx_timedlock(mtx_t* m, const timespec* when) {
  const Deadline until(CLOCK_REALTIME, when);
  return lock_with(
      {OpKind::kMutexLock, m, RAVEL_FREE_CALLER}, true, [m] { return library().mtx_trylock(m); },
      [&] { return library().mtx_timedlock(m, until.get()); });
}

RAVEL_FREE_EXPORT int mtx_trylock(mtx_t* m) {
  return try_with({OpKind::kMutexTryLock, m, RAVEL_FREE_CALLER}, [m] { return library().mtx_trylock(m); });
}

RAVEL_FREE_EXPORT int mtx_unlock(mtx_t* m) {
  return unlock_with({OpKind::kMutexUnlock, m, RAVEL_FREE_CALLER}, [m] { return library().mtx_unlock(m); });
}
