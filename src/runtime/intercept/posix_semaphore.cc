// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// POSIX semaphores, unnamed. Named ones (sem_open) stay the system's: they live in files shared between processes.
#include "runtime/sync/virtual_semaphore.h"

#include <errno.h>

#include "runtime/intercept/export.h"
#include "runtime/schedule/clock.h"
#include "runtime/state/thread.h"

using namespace ravel;
using namespace ravel::rt;

namespace {
int as_call(int error) {
  if (error == 0) return 0;
  errno = error;
  return -1;
}
}  // namespace

RAVEL_EXPORT int sem_init(sem_t* s, int shared, unsigned value) noexcept {
  RAVEL_PASS_THROUGH(sem_init, s, shared, value);
  if (shared != 0) note(kNoteProcessShared);
  return as_call(semaphore_init(s, value, RAVEL_CALLER));
}

RAVEL_EXPORT int sem_destroy(sem_t* s) noexcept {
  RAVEL_PASS_THROUGH(sem_destroy, s);
  return as_call(semaphore_destroy(s, RAVEL_CALLER));
}

RAVEL_EXPORT int sem_wait(sem_t* s) {
  RAVEL_PASS_THROUGH(sem_wait, s);
  return as_call(semaphore_wait(s, kNever, RAVEL_CALLER));
}

RAVEL_EXPORT int sem_trywait(sem_t* s) noexcept {
  RAVEL_PASS_THROUGH(sem_trywait, s);
  return as_call(semaphore_trywait(s, RAVEL_CALLER));
}

RAVEL_EXPORT int sem_timedwait(sem_t* s, const timespec* when) {
  RAVEL_PASS_THROUGH(sem_timedwait, s, when);
  if (!valid_timespec(when)) return as_call(EINVAL);
  return as_call(semaphore_wait(s, virtual_deadline(CLOCK_REALTIME, *when), RAVEL_CALLER));
}

RAVEL_EXPORT int sem_clockwait(sem_t* s, clockid_t clock, const timespec* when) {
  RAVEL_PASS_THROUGH(sem_clockwait, s, clock, when);
  if (!valid_timespec(when)) return as_call(EINVAL);
  return as_call(semaphore_wait(s, virtual_deadline(clock, *when), RAVEL_CALLER));
}

RAVEL_EXPORT int sem_post(sem_t* s) noexcept {
  RAVEL_PASS_THROUGH(sem_post, s);
  return as_call(semaphore_post(s, RAVEL_CALLER));
}

RAVEL_EXPORT int sem_getvalue(sem_t* s, int* value) noexcept {
  RAVEL_PASS_THROUGH(sem_getvalue, s, value);
  *value = semaphore_value(s, RAVEL_CALLER);
  return 0;
}
