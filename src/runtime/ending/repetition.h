// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Tells an endless execution from a long one. Near its limit of steps an execution is watched: some states of the
// program are kept, and looked for again much later. The state is the stack and the saved registers
// of every live thread, what each is about to do, the time left until deadlines, and all private memory that is not the
// runtime's. If it comes back again and again until the limit, nothing the program does leads out of it, so the
// execution never ends. A schedule that just leaves out a thread that could run all the time proves nothing.
//
// Equal events alone are no proof: the counter of a loop lies in a register.
#pragma once

#include <cstdint>

namespace ravel::rt {

// The running thread has recorded an event, in the steps before the limit (Recorder::watch_from). Switches threads only
// to look at their stacks.
void watch_repetition();

// At the limit: the state has come back all over those steps.
bool repetition_proved();

// Hash of all private memory of the process but stacks of virtual threads and the runtime's own; 0: it cannot be read.
// Supplied by isolate/, which knows the mappings.
std::uint64_t memory_signature();

}  // namespace ravel::rt
