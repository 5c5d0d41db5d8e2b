// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// One-time initialisation: pthread_once (and with it std::call_once) and the guards of function-local statics.
#include "runtime/sync/virtual_once.h"

#include <pthread.h>

#include "runtime/intercept/export.h"

using namespace ravel;
using namespace ravel::rt;

// once_call.c: needs a cleanup that runs when an exception leaves the initialiser.
extern "C" void ravel_once_call(pthread_once_t* control, unsigned location, void (*initialiser)());
extern "C" __attribute__((visibility("hidden"))) void ravel_once_undo(pthread_once_t* control, unsigned location) {
  once_undo(control, location);
}

RAVEL_EXPORT int pthread_once(pthread_once_t* control, void (*initialiser)()) {
  RAVEL_PASS_THROUGH(pthread_once, control, initialiser);
  const LocationId location = RAVEL_CALLER;
  if (!once_enter(control, location)) return 0;
  ravel_once_call(control, location, initialiser);
  once_finish(control, location);
  return 0;
}

RAVEL_EXPORT int __cxa_guard_acquire(void* guard) {
  RAVEL_PASS_THROUGH(__cxa_guard_acquire, guard);
  return guard_enter(guard, RAVEL_CALLER) ? 1 : 0;
}

RAVEL_EXPORT void __cxa_guard_release(void* guard) {
  RAVEL_PASS_THROUGH(__cxa_guard_release, guard);
  guard_finish(guard, RAVEL_CALLER);
}

RAVEL_EXPORT void __cxa_guard_abort(void* guard) {
  RAVEL_PASS_THROUGH(__cxa_guard_abort, guard);
  guard_undo(guard, RAVEL_CALLER);
}
