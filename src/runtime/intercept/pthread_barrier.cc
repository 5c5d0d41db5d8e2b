// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Barriers.
#include <pthread.h>

#include "runtime/intercept/export.h"
#include "runtime/sync/virtual_barrier.h"

using namespace ravel::rt;

RAVEL_EXPORT int pthread_barrier_init(pthread_barrier_t* b, const pthread_barrierattr_t* attributes,
                                      unsigned count) noexcept {
  RAVEL_PASS_THROUGH(pthread_barrier_init, b, attributes, count);
  return barrier_init(b, count, RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_barrier_destroy(pthread_barrier_t* b) noexcept {
  RAVEL_PASS_THROUGH(pthread_barrier_destroy, b);
  return barrier_destroy(b, RAVEL_CALLER);
}

RAVEL_EXPORT int pthread_barrier_wait(pthread_barrier_t* b) noexcept {
  RAVEL_PASS_THROUGH(pthread_barrier_wait, b);
  return barrier_wait(b, RAVEL_CALLER);
}
