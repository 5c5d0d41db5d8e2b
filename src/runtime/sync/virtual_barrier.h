// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Virtual pthread barriers: arriving, and leaving when the round is full.
#pragma once

#include <pthread.h>

#include "model/event.h"

namespace ravel::rt {

int barrier_init(pthread_barrier_t* b, unsigned count, LocationId location);
int barrier_destroy(pthread_barrier_t* b, LocationId location);
int barrier_wait(pthread_barrier_t* b, LocationId location);

}  // namespace ravel::rt
