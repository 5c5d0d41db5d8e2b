// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Timers of the program, in virtual time: alarm, setitimer, timer_create. They go off when virtual time passes them,
// and time passes to the next one when nobody can run. What they do is a signal, or a virtual thread.
#pragma once

#include <signal.h>
#include <time.h>

#include <cstdint>

#include "model/event.h"

namespace ravel::rt {

struct TimerState {
  std::uint64_t expiry;  // kNever: not armed
  std::uint64_t interval;
};

// The three timers of setitimer; alarm is the first. They are always there.
inline constexpr int kIntervalTimers = 3;

// A new timer's number, or -1. `event` as of timer_create; nullptr: SIGALRM.
int make_timer(const sigevent* event, clockid_t clock);
bool delete_timer(int timer);
bool is_timer(int timer);
clockid_t clock_of_timer(int timer);
TimerState timer_state(int timer);
// What the thread has done before is seen by the handler or the new thread.
void arm_timer(int timer, TimerState state, LocationId location);

}  // namespace ravel::rt
