// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Cancellation: requests, states, and the cleanup handlers of C code. Those of C++ are destructors, which the unwinder
// runs by itself; C code leaves a jump buffer for each frame that has handlers.
#include <errno.h>
#include <pthread.h>

#include "runtime/intercept/export.h"
#include "runtime/record/recorder.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/signals/delivery.h"
#include "runtime/sync/lifecycle.h"

using namespace ravel;
using namespace ravel::rt;

// What pthread_cleanup_push and pthread_cleanup_pop are in C.
RAVEL_EXPORT void __pthread_register_cancel(__pthread_unwind_buf_t* buffer) {
  if (!g.in_control) {
    real().__pthread_register_cancel(buffer);
    return;
  }
  buffer->__pad[0] = g.current->cleanup;
  g.current->cleanup = buffer;
}

RAVEL_EXPORT void __pthread_unregister_cancel(__pthread_unwind_buf_t* buffer) {
  if (!g.in_control) {
    real().__pthread_unregister_cancel(buffer);
    return;
  }
  g.current->cleanup = buffer->__pad[0];
}

// A handler has run: on with the frames above it.
RAVEL_EXPORT void __pthread_unwind_next(__pthread_unwind_buf_t* buffer) {
  if (!g.in_control) real().__pthread_unwind_next(buffer);
  g.current->cleanup = buffer->__pad[0];
  exit_thread(g.current->result);
}

RAVEL_EXPORT int pthread_cancel(pthread_t handle) {
  RAVEL_PASS_THROUGH(pthread_cancel, handle);
  const VirtualThread* const target = last_thread_of(handle);
  if (target == nullptr) return ESRCH;
  const ThreadIndex index = target->index;
  return !request_cancel(index, RAVEL_CALLER) && is_gone(*target, index) ? ESRCH : 0;
}

RAVEL_EXPORT int pthread_setcancelstate(int state, int* old) {
  RAVEL_PASS_THROUGH(pthread_setcancelstate, state, old);
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
  VirtualThread& self = *g.current;
  if (old != nullptr) *old = self.cancel_disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
  self.cancel_disabled = state == PTHREAD_CANCEL_DISABLE;
  return 0;
}

RAVEL_EXPORT int pthread_setcanceltype(int type, int* old) {
  RAVEL_PASS_THROUGH(pthread_setcanceltype, type, old);
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
  VirtualThread& self = *g.current;
  if (old != nullptr) *old = self.cancel_at_once ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
  self.cancel_at_once = type == PTHREAD_CANCEL_ASYNCHRONOUS;
  return 0;
}

RAVEL_EXPORT void pthread_testcancel() {
  if (!g.in_control) {
    real().pthread_testcancel();
    return;
  }
  Pending pending;
  pending.kind = OpKind::kYield;
  pending.location = RAVEL_CALLER;
  pending.cancellable = true;
  point(pending);
  record_pending(0, 0);
}
