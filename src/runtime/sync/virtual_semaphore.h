// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Virtual POSIX semaphores. Return values are errno numbers (the interceptors turn them into -1 and errno).
#pragma once

#include <semaphore.h>

#include <cstdint>

#include "model/event.h"

namespace ravel::rt {

int semaphore_init(sem_t* s, unsigned value, LocationId location);
int semaphore_destroy(sem_t* s, LocationId location);
int semaphore_wait(sem_t* s, std::uint64_t deadline, LocationId location);
int semaphore_trywait(sem_t* s, LocationId location);
int semaphore_post(sem_t* s, LocationId location);
int semaphore_value(sem_t* s, LocationId location);

}  // namespace ravel::rt
