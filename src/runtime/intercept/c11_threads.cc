// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// <threads.h>. In the C library these are the pthread objects under other names; here too.
#include <errno.h>
#include <pthread.h>
#include <threads.h>

#include "runtime/intercept/export.h"
#include "runtime/schedule/clock.h"
#include "runtime/sync/lifecycle.h"
#include "runtime/sync/time_wait.h"
#include "runtime/sync/virtual_condvar.h"
#include "runtime/sync/virtual_mutex.h"

using namespace ravel;
using namespace ravel::rt;

namespace {

static_assert(sizeof(mtx_t) == sizeof(pthread_mutex_t) && sizeof(cnd_t) == sizeof(pthread_cond_t));
static_assert(sizeof(once_flag) == sizeof(pthread_once_t));

pthread_mutex_t* mutex_of(mtx_t* m) {
  return reinterpret_cast<pthread_mutex_t*>(m);
}
pthread_cond_t* condition_of(cnd_t* c) {
  return reinterpret_cast<pthread_cond_t*>(c);
}

int as_thrd(int error) {
  switch (error) {
    case 0:
      return thrd_success;
    case EBUSY:
      return thrd_busy;
    case ETIMEDOUT:
      return thrd_timedout;
    case EAGAIN:
    case ENOMEM:
      return thrd_nomem;
    default:
      return thrd_error;
  }
}

// An int comes back in the lower half of the register that a pointer would.
void* as_pointer(int result) {
  return reinterpret_cast<void*>(static_cast<std::intptr_t>(result));
}
int as_int(void* result) {
  return static_cast<int>(reinterpret_cast<std::intptr_t>(result));
}

}  // namespace

RAVEL_EXPORT int thrd_create(thrd_t* handle, thrd_start_t start, void* argument) {
  RAVEL_PASS_THROUGH(thrd_create, handle, start, argument);
  auto* const function = reinterpret_cast<void* (*)(void*)>(reinterpret_cast<std::uintptr_t>(start));
  return as_thrd(create_thread(handle, false, 0, function, argument, RAVEL_CALLER));
}

RAVEL_EXPORT int thrd_join(thrd_t handle, int* result) {
  RAVEL_PASS_THROUGH(thrd_join, handle, result);
  void* value = nullptr;
  const int error = join_thread(handle, &value, kNever, false, RAVEL_CALLER);
  if (error == 0 && result != nullptr) *result = as_int(value);
  return as_thrd(error);
}

RAVEL_EXPORT int thrd_detach(thrd_t handle) {
  RAVEL_PASS_THROUGH(thrd_detach, handle);
  return as_thrd(detach_thread(handle, RAVEL_CALLER));
}

RAVEL_EXPORT void thrd_exit(int result) {
  if (!g.in_control) real().thrd_exit(result);
  exit_thread(as_pointer(result));
}

RAVEL_EXPORT int thrd_sleep(const timespec* duration, timespec* rest) {
  RAVEL_PASS_THROUGH(thrd_sleep, duration, rest);
  if (!valid_timespec(duration) || duration->tv_sec < 0) return -2;
  const std::uint64_t deadline = virtual_now() + nanoseconds_of(*duration);
  if (sleep_until(deadline, RAVEL_CALLER)) return 0;
  const std::uint64_t left = deadline > virtual_now() ? deadline - virtual_now() : 0;
  if (rest != nullptr) *rest = {static_cast<time_t>(left / 1'000'000'000), static_cast<long>(left % 1'000'000'000)};
  return -1;
}

RAVEL_EXPORT void thrd_yield() {
  if (!g.in_control) {
    real().thrd_yield();
    return;
  }
  yield_now(RAVEL_CALLER);
}

RAVEL_EXPORT int mtx_init(mtx_t* m, int type) {
  RAVEL_PASS_THROUGH(mtx_init, m, type);
  const bool recursive = (type & mtx_recursive) != 0;
  return as_thrd(mutex_init(mutex_of(m), recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL, RAVEL_CALLER));
}

RAVEL_EXPORT void mtx_destroy(mtx_t* m) {
  if (!g.in_control) {
    real().mtx_destroy(m);
    return;
  }
  (void)mutex_destroy(mutex_of(m), RAVEL_CALLER);
}

RAVEL_EXPORT int mtx_lock(mtx_t* m) {
  RAVEL_PASS_THROUGH(mtx_lock, m);
  return as_thrd(mutex_lock(mutex_of(m), kNever, RAVEL_CALLER));
}

RAVEL_EXPORT int mtx_trylock(mtx_t* m) {
  RAVEL_PASS_THROUGH(mtx_trylock, m);
  return as_thrd(mutex_trylock(mutex_of(m), RAVEL_CALLER));
}

RAVEL_EXPORT int mtx_timedlock(mtx_t* m, const timespec* when) {
  RAVEL_PASS_THROUGH(mtx_timedlock, m, when);
  if (!valid_timespec(when)) return thrd_error;
  return as_thrd(mutex_lock(mutex_of(m), virtual_deadline(CLOCK_REALTIME, *when), RAVEL_CALLER));
}

RAVEL_EXPORT int mtx_unlock(mtx_t* m) {
  RAVEL_PASS_THROUGH(mtx_unlock, m);
  return as_thrd(mutex_unlock(mutex_of(m), RAVEL_CALLER));
}

RAVEL_EXPORT int cnd_init(cnd_t* c) {
  RAVEL_PASS_THROUGH(cnd_init, c);
  return as_thrd(cond_init(condition_of(c), CLOCK_REALTIME, RAVEL_CALLER));
}

RAVEL_EXPORT void cnd_destroy(cnd_t* c) {
  if (!g.in_control) {
    real().cnd_destroy(c);
    return;
  }
  (void)cond_destroy(condition_of(c), RAVEL_CALLER);
}

RAVEL_EXPORT int cnd_wait(cnd_t* c, mtx_t* m) {
  RAVEL_PASS_THROUGH(cnd_wait, c, m);
  return as_thrd(cond_wait(condition_of(c), mutex_of(m), kNever, RAVEL_CALLER));
}

RAVEL_EXPORT int cnd_timedwait(cnd_t* c, mtx_t* m, const timespec* when) {
  RAVEL_PASS_THROUGH(cnd_timedwait, c, m, when);
  if (!valid_timespec(when)) return thrd_error;
  return as_thrd(cond_wait(condition_of(c), mutex_of(m), virtual_deadline(CLOCK_REALTIME, *when), RAVEL_CALLER));
}

RAVEL_EXPORT int cnd_signal(cnd_t* c) {
  RAVEL_PASS_THROUGH(cnd_signal, c);
  return as_thrd(cond_signal(condition_of(c), RAVEL_CALLER));
}

RAVEL_EXPORT int cnd_broadcast(cnd_t* c) {
  RAVEL_PASS_THROUGH(cnd_broadcast, c);
  return as_thrd(cond_broadcast(condition_of(c), RAVEL_CALLER));
}

// Keys and one-time calls are the pthread functions of this library; those pass through by themselves.
RAVEL_EXPORT int tss_create(tss_t* key, tss_dtor_t destructor) {
  return as_thrd(pthread_key_create(key, destructor));
}

RAVEL_EXPORT void tss_delete(tss_t key) {
  pthread_key_delete(key);
}

RAVEL_EXPORT void* tss_get(tss_t key) {
  return pthread_getspecific(key);
}

RAVEL_EXPORT int tss_set(tss_t key, void* value) {
  return as_thrd(pthread_setspecific(key, value));
}

RAVEL_EXPORT void call_once(once_flag* flag, void (*initialiser)()) {
  pthread_once(reinterpret_cast<pthread_once_t*>(flag), initialiser);
}
