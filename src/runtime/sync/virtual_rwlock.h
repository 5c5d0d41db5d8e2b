// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Virtual reader-writer locks (semantics/rwlock.h says who may enter).
#pragma once

#include <pthread.h>

#include <cstdint>

#include "model/event.h"
#include "semantics/rwlock.h"

namespace ravel::rt {

inline RwState& state_of(pthread_rwlock_t* l) {
  return *reinterpret_cast<RwState*>(l);
}

// `kind`: PTHREAD_RWLOCK_*_NP
int rwlock_init(pthread_rwlock_t* l, int kind, LocationId location);
// The writer behind which readers have to wait, by the lock's kind; kNoThread: they need not.
ThreadIndex waiting_writer(const pthread_rwlock_t* l);
int rwlock_destroy(pthread_rwlock_t* l, LocationId location);
int rwlock_lock(pthread_rwlock_t* l, bool write, std::uint64_t deadline, LocationId location);
int rwlock_trylock(pthread_rwlock_t* l, bool write, LocationId location);
int rwlock_unlock(pthread_rwlock_t* l, LocationId location);

}  // namespace ravel::rt
