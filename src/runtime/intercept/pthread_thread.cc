// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Threads: create, join, detach, exit, names, attributes of a running thread.
#include <errno.h>
#include <pthread.h>
#include <string.h>

#include "runtime/ending/finish.h"
#include "runtime/fiber/carrier.h"
#include "runtime/intercept/export.h"
#include "runtime/schedule/clock.h"
#include "runtime/sync/forked_child.h"
#include "runtime/sync/lifecycle.h"
#include "runtime/sync/time_wait.h"
#include "runtime/world/library_state.h"

using namespace ravel;
using namespace ravel::rt;

// libstdc++ and glibc skip atomics while it is true; with virtual threads that would hide accesses.
extern "C" __attribute__((visibility("default"))) char __libc_single_threaded;
char __libc_single_threaded = 0;

RAVEL_EXPORT int pthread_create(pthread_t* handle, const pthread_attr_t* attributes, void* (*start)(void*),
                                void* argument) {
  if (!g.in_control) note_thread_of_child();
  RAVEL_PASS_THROUGH(pthread_create, handle, attributes, start, argument);
  int state = PTHREAD_CREATE_JOINABLE;
  std::size_t stack = 0;
  if (attributes != nullptr) {
    pthread_attr_getdetachstate(attributes, &state);
    pthread_attr_getstacksize(attributes, &stack);
  }
  return create_thread(handle, state == PTHREAD_CREATE_DETACHED, stack, start, argument, RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_join(pthread_t handle, void** result) {
  RAVEL_PASS_THROUGH(pthread_join, handle, result);
  return join_thread(handle, result, kNever, false, RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_tryjoin_np(pthread_t handle, void** result) noexcept {
  RAVEL_PASS_THROUGH(pthread_tryjoin_np, handle, result);
  return join_thread(handle, result, kNever, true, RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_timedjoin_np(pthread_t handle, void** result, const timespec* when) {
  RAVEL_PASS_THROUGH(pthread_timedjoin_np, handle, result, when);
  if (when == nullptr) return join_thread(handle, result, kNever, false, RAVEL_CALLER);
  if (!valid_timespec(when)) return EINVAL;
  return join_thread(handle, result, virtual_deadline(CLOCK_REALTIME, *when), false, RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_clockjoin_np(pthread_t handle, void** result, clockid_t clock, const timespec* when) {
  RAVEL_PASS_THROUGH(pthread_clockjoin_np, handle, result, clock, when);
  if (when == nullptr) return join_thread(handle, result, kNever, false, RAVEL_CALLER);
  if (!valid_timespec(when)) return EINVAL;
  return join_thread(handle, result, virtual_deadline(clock, *when), false, RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_detach(pthread_t handle) noexcept {
  RAVEL_PASS_THROUGH(pthread_detach, handle);
  return detach_thread(handle, RAVEL_CALLER);
}

RAVEL_EXPORT void pthread_exit(void* result) {
  if (!g.in_control) real().pthread_exit(result);
  exit_thread(result);
}

RAVEL_EXPORT int pthread_setname_np(pthread_t handle, const char* name) noexcept {
  RAVEL_PASS_THROUGH(pthread_setname_np, handle, name);
  VirtualThread* thread = thread_of(handle);
  if (thread == nullptr) return ESRCH;
  if (strlen(name) >= sizeof thread->name) return ERANGE;
  change_library_state(LibraryState::kNames, RAVEL_CALLER);
  strcpy(thread->name, name);
  strcpy(g.block->threads[thread->index].name, name);
  return 0;
}

RAVEL_EXPORT int pthread_getname_np(pthread_t handle, char* buffer, std::size_t size) noexcept {
  RAVEL_PASS_THROUGH(pthread_getname_np, handle, buffer, size);
  VirtualThread* thread = thread_of(handle);
  if (thread == nullptr) return ESRCH;
  if (size < sizeof thread->name) return ERANGE;
  read_library_state(LibraryState::kNames, RAVEL_CALLER);
  strcpy(buffer, thread->name[0] != 0 ? thread->name : program_invocation_short_name);
  return 0;
}

RAVEL_EXPORT int pthread_getattr_np(pthread_t handle, pthread_attr_t* attributes) noexcept {
  const int error = real().pthread_getattr_np(handle, attributes);
  // Main runs on a stack of ours, not on the one the kernel made.
  if (error == 0 && g.in_control && handle == thread_pointer(0)) {
    return real().pthread_attr_setstack(attributes, reinterpret_cast<void*>(stack_bottom(0)), kStackBytes);
  }
  return error;
}

RAVEL_EXPORT int sched_yield() noexcept {
  RAVEL_PASS_THROUGH(sched_yield);
  yield_now(RAVEL_CALLER);
  return 0;
}

// Deprecated, and an alias in the C library: the declaration would warn.
RAVEL_EXPORT int ravel_pthread_yield() noexcept __asm__("pthread_yield");
RAVEL_EXPORT int ravel_pthread_yield() noexcept {
  RAVEL_PASS_THROUGH(sched_yield);
  yield_now(RAVEL_CALLER);
  return 0;
}
