// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Condition variables. A wait is two events, as in controlled mode: it releases the mutex, and has it again.
#include <errno.h>

#include "free/callers.h"
#include "free/intercept/lock_calls.h"
#include "free/noise/timeout_tamper.h"

using namespace ravel;
using namespace ravel::fr;

namespace {

template <class Wait>
int wait_with(LockCall call, const volatile void* mutex, bool timed, Wait wait) {
  FreeThread* self = synchronising();
  if (self == nullptr) return wait();
  call.pc = user_caller(call.pc);
  before_sync(call.pc);
  record(*self, OpKind::kCondWait, address_of(call.object), call.pc);
  record(*self, OpKind::kMutexUnlock, address_of(mutex), call.pc);
  int error = 0;
  {
    const Waits waits(*self, OpKind::kCondWait, address_of(call.object), call.pc, timed);
    error = wait();
  }
  record(*self, OpKind::kMutexLock, address_of(mutex), call.pc);
  record(*self, OpKind::kCondReacquire, address_of(call.object), call.pc, 0, error == ETIMEDOUT ? kTimeout : 0);
  after_sync(call.pc);
  return error;
}

template <class Signal>
int signal_with(LockCall call, Signal signal) {
  FreeThread* self = synchronising();
  if (self == nullptr) return signal();
  call.pc = user_caller(call.pc);
  before_sync(call.pc);
  record(*self, call.kind, address_of(call.object), call.pc);
  const int error = signal();
  after_sync(call.pc);
  return error;
}

}  // namespace

RAVEL_FREE_EXPORT int pthread_cond_wait(pthread_cond_t* c, pthread_mutex_t* m) {
  return wait_with({OpKind::kCondWait, c, RAVEL_FREE_CALLER}, m, false,
                   [=] { return library().pthread_cond_wait(c, m); });
}

RAVEL_FREE_EXPORT int pthread_cond_timedwait(pthread_cond_t* c, pthread_mutex_t* m, const timespec* when) {
  const Deadline until(CLOCK_REALTIME, when);
  return wait_with({OpKind::kCondWait, c, RAVEL_FREE_CALLER}, m, true,
                   [&] { return library().pthread_cond_timedwait(c, m, until.get()); });
}

RAVEL_FREE_EXPORT int pthread_cond_clockwait(pthread_cond_t* c, pthread_mutex_t* m, clockid_t clock,
                                             const timespec* when) {
  const Deadline until(clock, when);
  return wait_with({OpKind::kCondWait, c, RAVEL_FREE_CALLER}, m, true,
                   [&] { return library().pthread_cond_clockwait(c, m, clock, until.get()); });
}

RAVEL_FREE_EXPORT int pthread_cond_signal(pthread_cond_t* c) noexcept {
  return signal_with({OpKind::kCondSignal, c, RAVEL_FREE_CALLER}, [c] { return library().pthread_cond_signal(c); });
}

RAVEL_FREE_EXPORT int pthread_cond_broadcast(pthread_cond_t* c) noexcept {
  return signal_with({OpKind::kCondBroadcast, c, RAVEL_FREE_CALLER},
                     [c] { return library().pthread_cond_broadcast(c); });
}

RAVEL_FREE_EXPORT int cnd_wait(cnd_t* c, mtx_t* m) {
  return wait_with({OpKind::kCondWait, c, RAVEL_FREE_CALLER}, m, false, [=] { return library().cnd_wait(c, m); });
}

RAVEL_FREE_EXPORT int cnd_timedwait(cnd_t* c, mtx_t* m, const timespec* when) {
  const Deadline until(CLOCK_REALTIME, when);
  return wait_with({OpKind::kCondWait, c, RAVEL_FREE_CALLER}, m, true,
                   [&] { return library().cnd_timedwait(c, m, until.get()); });
}

RAVEL_FREE_EXPORT int cnd_signal(cnd_t* c) {
  return signal_with({OpKind::kCondSignal, c, RAVEL_FREE_CALLER}, [c] { return library().cnd_signal(c); });
}

RAVEL_FREE_EXPORT int cnd_broadcast(cnd_t* c) {
  return signal_with({OpKind::kCondBroadcast, c, RAVEL_FREE_CALLER}, [c] { return library().cnd_broadcast(c); });
}
