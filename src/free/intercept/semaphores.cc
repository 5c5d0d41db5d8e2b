// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Semaphores and barriers.
#include <errno.h>

#include "free/intercept/lock_calls.h"
#include "free/noise/timeout_tamper.h"

using namespace ravel;
using namespace ravel::fr;

namespace {

template <class Wait>
int sem_wait_with(sem_t* s, std::uintptr_t pc, bool timed, Wait wait) {
  FreeThread* self = synchronising();
  if (self == nullptr) return wait();
  before_sync(pc);
  const int before = errno;
  int error = library().sem_trywait(s);
  const bool waits_for_it = error != 0;
  if (waits_for_it) {
    errno = before;
    const Waits waits(*self, OpKind::kSemWait, address_of(s), pc, timed);
    error = wait();
  }
  if (error == 0) record(*self, OpKind::kSemWait, address_of(s), pc, 0, waits_for_it ? kHadToWait : 0);
  after_sync(pc);
  return error;
}

}  // namespace

RAVEL_FREE_EXPORT int sem_wait(sem_t* s) {
  return sem_wait_with(s, RAVEL_FREE_CALLER, false, [=] { return library().sem_wait(s); });
}

RAVEL_FREE_EXPORT int sem_timedwait(sem_t* s, const timespec* when) {
  const Deadline until(CLOCK_REALTIME, when);
  return sem_wait_with(s, RAVEL_FREE_CALLER, true, [&] { return library().sem_timedwait(s, until.get()); });
}

RAVEL_FREE_EXPORT int sem_clockwait(sem_t* s, clockid_t clock, const timespec* when) {
  const Deadline until(clock, when);
  return sem_wait_with(s, RAVEL_FREE_CALLER, true, [&] { return library().sem_clockwait(s, clock, until.get()); });
}

RAVEL_FREE_EXPORT int sem_trywait(sem_t* s) noexcept {
  FreeThread* self = synchronising();
  if (self == nullptr) return library().sem_trywait(s);
  const std::uintptr_t pc = RAVEL_FREE_CALLER;
  before_sync(pc);
  const int error = library().sem_trywait(s);
  record(*self, OpKind::kSemTryWait, address_of(s), pc, 0, error == 0 ? 0 : kFailed);
  after_sync(pc);
  return error;
}

RAVEL_FREE_EXPORT int sem_post(sem_t* s) noexcept {
  FreeThread* self = synchronising();
  if (self == nullptr) return library().sem_post(s);
  const std::uintptr_t pc = RAVEL_FREE_CALLER;
  before_sync(pc);
  record(*self, OpKind::kSemPost, address_of(s), pc);
  const int error = library().sem_post(s);
  after_sync(pc);
  return error;
}

RAVEL_FREE_EXPORT int pthread_barrier_init(pthread_barrier_t* b, const pthread_barrierattr_t* attributes,
                                           unsigned count) noexcept {
  const int error = library().pthread_barrier_init(b, attributes, count);
  FreeThread* self = (g_hooks & kHookTrace) != 0 && error == 0 ? synchronising() : nullptr;
  if (self != nullptr) record(*self, OpKind::kBarrierInit, address_of(b), RAVEL_FREE_CALLER, count);
  return error;
}

RAVEL_FREE_EXPORT int pthread_barrier_wait(pthread_barrier_t* b) noexcept {
  FreeThread* self = synchronising();
  if (self == nullptr) return library().pthread_barrier_wait(b);
  const std::uintptr_t pc = RAVEL_FREE_CALLER;
  before_sync(pc);
  record(*self, OpKind::kBarrierArrive, address_of(b), pc);
  int result = 0;
  {
    const Waits waits(*self, OpKind::kBarrierArrive, address_of(b), pc, false);
    result = library().pthread_barrier_wait(b);
  }
  record(*self, OpKind::kBarrierLeave, address_of(b), pc);
  after_sync(pc);
  return result;
}
