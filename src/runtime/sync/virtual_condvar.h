// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Virtual condition variables. A wait is two operations: release and enqueue, then reacquire. Which waiter a signal
// wakes is a choice.
#pragma once

#include <pthread.h>

#include <cstdint>

#include "model/event.h"

namespace ravel::rt {

int cond_init(pthread_cond_t* c, clockid_t clock, LocationId location);
int cond_destroy(pthread_cond_t* c, LocationId location);
int cond_wait(pthread_cond_t* c, pthread_mutex_t* m, std::uint64_t deadline, LocationId location);
int cond_signal(pthread_cond_t* c, LocationId location);
int cond_broadcast(pthread_cond_t* c, LocationId location);
// The clock that pthread_cond_timedwait measures by.
clockid_t cond_clock(const pthread_cond_t* c);

}  // namespace ravel::rt
