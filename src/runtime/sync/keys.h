// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// pthread keys: values live in the virtual thread, since glibc's own would not be destroyed at the end of a fiber.
#pragma once

#include <pthread.h>

#include "runtime/state/thread.h"

namespace ravel::rt {

int key_create(pthread_key_t* key, void (*destructor)(void*));
int key_delete(pthread_key_t key);
const void* key_get(pthread_key_t key);
int key_set(pthread_key_t key, const void* value);
// Up to PTHREAD_DESTRUCTOR_ITERATIONS rounds, as POSIX has it.
void run_key_destructors(VirtualThread& thread);

}  // namespace ravel::rt
