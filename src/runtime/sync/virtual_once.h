// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// One-time initialisation: pthread_once and the guards of function-local statics.
#pragma once

#include <pthread.h>

#include "model/event.h"

namespace ravel::rt {

// True: this thread has to run the initialiser and then call once_finish or once_undo.
bool once_enter(pthread_once_t* control, LocationId location);
void once_finish(pthread_once_t* control, LocationId location);
void once_undo(pthread_once_t* control, LocationId location);

bool guard_enter(void* guard, LocationId location);
void guard_finish(void* guard, LocationId location);
void guard_undo(void* guard, LocationId location);

// Who runs the initialiser that a thread with pending kOnceBegin waits for.
ThreadIndex once_runner(std::uintptr_t address, bool guard);

}  // namespace ravel::rt
