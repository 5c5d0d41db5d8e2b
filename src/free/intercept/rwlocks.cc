// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Reader-writer locks.
#include "free/intercept/lock_calls.h"

using namespace ravel;
using namespace ravel::fr;

#define RAVEL_RW_LOCK(kind, name, try_name, timed, parameters, ...)                 \
  RAVEL_FREE_EXPORT int name parameters noexcept {                                  \
    return lock_with(                                                               \
        {kind, l, RAVEL_FREE_CALLER}, timed, [l] { return library().try_name(l); }, \
        [=] { return library().name(__VA_ARGS__); });                               \
  }
RAVEL_RW_LOCK(OpKind::kRwReadLock, pthread_rwlock_rdlock, pthread_rwlock_tryrdlock, false, (pthread_rwlock_t * l), l)
RAVEL_RW_LOCK(OpKind::kRwReadLock, pthread_rwlock_timedrdlock, pthread_rwlock_tryrdlock, true,
              (pthread_rwlock_t * l, const timespec* when), l, when)
RAVEL_RW_LOCK(OpKind::kRwReadLock, pthread_rwlock_clockrdlock, pthread_rwlock_tryrdlock, true,
              (pthread_rwlock_t * l, clockid_t clock, const timespec* when), l, clock, when)
RAVEL_RW_LOCK(OpKind::kRwWriteLock, pthread_rwlock_wrlock, pthread_rwlock_trywrlock, false, (pthread_rwlock_t * l), l)
RAVEL_RW_LOCK(OpKind::kRwWriteLock, pthread_rwlock_timedwrlock, pthread_rwlock_trywrlock, true,
              (pthread_rwlock_t * l, const timespec* when), l, when)
RAVEL_RW_LOCK(OpKind::kRwWriteLock, pthread_rwlock_clockwrlock, pthread_rwlock_trywrlock, true,
              (pthread_rwlock_t * l, clockid_t clock, const timespec* when), l, clock, when)

RAVEL_FREE_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t* l) noexcept {
  return try_with({OpKind::kRwTryReadLock, l, RAVEL_FREE_CALLER},
                  [l] { return library().pthread_rwlock_tryrdlock(l); });
}

RAVEL_FREE_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t* l) noexcept {
  return try_with({OpKind::kRwTryWriteLock, l, RAVEL_FREE_CALLER},
                  [l] { return library().pthread_rwlock_trywrlock(l); });
}

RAVEL_FREE_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t* l) noexcept {
  return unlock_with({OpKind::kRwUnlock, l, RAVEL_FREE_CALLER}, [l] { return library().pthread_rwlock_unlock(l); });
}
