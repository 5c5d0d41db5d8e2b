// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What the scheduling point asks of the layers above it. Each supplies its part.
#pragma once

#include <cstdint>

#include "runtime/state/thread.h"

namespace ravel::rt {

// signals/delivery.cc
// Runs the handlers of all signals that have reached the running thread. False: one of them interrupts system calls.
bool run_handlers();
// Ends the running thread if it has been cancelled and was at a cancellation point.
void act_on_cancellation();

// signals/virtual_timers.cc: those whose time has come (g_next_timer).
void fire_timers();

// world/io.cc
// Nobody can run: have descriptors become ready? Does not wait.
bool refresh_waiting_io();
// Some real time for another process, before virtual time goes on.
bool wait_for_foreign();
// Waits in real time for what may come from outside. False: nothing can, or nothing did for a long time.
bool wait_for_outside();

// ending/debugger.cc: `next` is about to run; the others are parked, or will be in a moment.
void show_threads_to_debugger(const VirtualThread& next);

}  // namespace ravel::rt
