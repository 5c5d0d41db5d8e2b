// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Condition variables.
#include <errno.h>
#include <pthread.h>

#include "runtime/intercept/export.h"
#include "runtime/schedule/clock.h"
#include "runtime/sync/virtual_condvar.h"

using namespace ravel;
using namespace ravel::rt;

RAVEL_EXPORT int pthread_cond_init(pthread_cond_t* c, const pthread_condattr_t* attributes) noexcept {
  RAVEL_PASS_THROUGH(pthread_cond_init, c, attributes);
  clockid_t clock = CLOCK_REALTIME;
  if (attributes != nullptr) {
    int shared = PTHREAD_PROCESS_PRIVATE;
    pthread_condattr_getclock(attributes, &clock);
    pthread_condattr_getpshared(attributes, &shared);
    if (shared == PTHREAD_PROCESS_SHARED) note(kNoteProcessShared);
  }
  return cond_init(c, clock, RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_cond_destroy(pthread_cond_t* c) noexcept {
  RAVEL_PASS_THROUGH(pthread_cond_destroy, c);
  return cond_destroy(c, RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_cond_wait(pthread_cond_t* c, pthread_mutex_t* m) {
  RAVEL_PASS_THROUGH(pthread_cond_wait, c, m);
  return cond_wait(c, m, kNever, RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_cond_timedwait(pthread_cond_t* c, pthread_mutex_t* m, const timespec* when) {
  RAVEL_PASS_THROUGH(pthread_cond_timedwait, c, m, when);
  if (!valid_timespec(when)) return EINVAL;
  return cond_wait(c, m, virtual_deadline(cond_clock(c), *when), RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_cond_clockwait(pthread_cond_t* c, pthread_mutex_t* m, clockid_t clock, const timespec* when) {
  RAVEL_PASS_THROUGH(pthread_cond_clockwait, c, m, clock, when);
  if (!valid_timespec(when)) return EINVAL;
  return cond_wait(c, m, virtual_deadline(clock, *when), RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_cond_signal(pthread_cond_t* c) noexcept {
  RAVEL_PASS_THROUGH(pthread_cond_signal, c);
  return cond_signal(c, RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_cond_broadcast(pthread_cond_t* c) noexcept {
  RAVEL_PASS_THROUGH(pthread_cond_broadcast, c);
  return cond_broadcast(c, RAVEL_CALLER);
}
