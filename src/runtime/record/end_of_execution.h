// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// How a layer says that the execution is over. Supplied by ending/, which knows what belongs into the result.
#pragma once

#include <cstdint>

#include "model/event.h"
#include "model/outcome.h"

namespace ravel::rt {

// The running thread failed at `location`. `message` is copied.
[[noreturn]] void finish_failure(OutcomeKind kind, const char* message, LocationId location);
// Writes the failure without leaving; for failures whose end is the program's own (signals, exit from a handler).
void note_failure(OutcomeKind kind, const char* message, LocationId location);

// Nobody can run. Lists every waiting thread with what it waits for and who holds it.
[[noreturn]] void finish_deadlock();
// The limit of visible operations is reached: a deadlock when every live thread waits or spins on unchanged values.
[[noreturn]] void finish_step_limit();
[[noreturn]] void finish_diverged();
// The program ends by itself with a status: recorded, trace closed, nothing else done.
void note_exit(int status, LocationId location);

// replay --until / --gdb: SIGTRAP, so that the debugger stops here.
void stop_for_debugger();

}  // namespace ravel::rt
