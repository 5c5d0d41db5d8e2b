// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Calls that a signal interrupts. A signal that comes before such a call has begun runs its handler and interrupts
// nothing: whoever then waits for it waits for ever (`while (!flag) pause();`). So the beginning of the call is a step
// of its own, as long as the program has handlers that can make a difference.
#pragma once

#include "model/event.h"
#include "runtime/state/thread.h"

namespace ravel::rt {

// The program has set up a handler; with `restarts` only some calls are interrupted by it.
void note_handler(bool restarts);

// Before the point of an operation that handlers can interrupt so.
void begin_wait(Interruption interruption, LocationId location);

}  // namespace ravel::rt
