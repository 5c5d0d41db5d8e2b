// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Virtual pthread mutexes and spin locks. The state lies in the program's own object (semantics/mutex.h), so that
// static initialisers, copies and destruction cost nothing. Return values are errno numbers.
#pragma once

#include <pthread.h>

#include <cstdint>

#include "model/event.h"
#include "runtime/state/thread.h"
#include "semantics/mutex.h"

namespace ravel::rt {

inline MutexState& state_of(pthread_mutex_t* m) {
  return *reinterpret_cast<MutexState*>(m);
}
inline SpinState& state_of(pthread_spinlock_t* s) {
  return *reinterpret_cast<SpinState*>(const_cast<int*>(s));
}

int mutex_init(pthread_mutex_t* m, int kind, LocationId location);
int mutex_destroy(pthread_mutex_t* m, LocationId location);
int mutex_lock(pthread_mutex_t* m, std::uint64_t deadline, LocationId location);
int mutex_trylock(pthread_mutex_t* m, LocationId location);
// Robust ones: the owner that found its predecessor dead has fixed what the mutex protects.
int mutex_consistent(pthread_mutex_t* m);
// The running thread ends: whoever gets a robust mutex after it sees all that it did.
void leave_robust_mutexes();
int mutex_unlock(pthread_mutex_t* m, LocationId location);

// Halves of a condition wait; no points of their own.
void unlock_for_wait(pthread_mutex_t* m, LocationId location);
void lock_after_wait(pthread_mutex_t* m, LocationId location);
bool can_lock_mutex(pthread_mutex_t* m, const VirtualThread& thread);

int spin_init(pthread_spinlock_t* s, LocationId location);
int spin_destroy(pthread_spinlock_t* s, LocationId location);
int spin_lock(pthread_spinlock_t* s, LocationId location);
int spin_trylock(pthread_spinlock_t* s, LocationId location);
int spin_unlock(pthread_spinlock_t* s, LocationId location);

}  // namespace ravel::rt
