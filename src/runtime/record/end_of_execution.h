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
// A finding only if the execution repeats itself; an open-ended one goes on with a higher limit, any other is cut.
void finish_step_limit();
// It says nothing about the program.
[[noreturn]] void finish_cut();
// An event was recorded shortly before the limit.
void near_step_limit();
[[noreturn]] void finish_diverged();
// Whoever could go on is held back by the sequence.
[[noreturn]] void finish_held();
// A goal of the plan was dropped.
[[noreturn]] void finish_abandoned();
// The program begins to end by itself with a status: a scheduling point, since threads that still run may go first;
// then recorded, and the trace closed. Nothing else is done.
enum class Ending : std::uint8_t {
  kHandlers,  // exit, quick_exit, return of main: handlers and destructors run, once
  kAtOnce,    // _exit
};
void note_exit(int status, Ending ending, LocationId location);
// All handlers and destructors have run: the last point.
void note_end_of_exit();

// replay --until / --gdb: SIGTRAP, so that the debugger stops here.
void stop_for_debugger();

}  // namespace ravel::rt
