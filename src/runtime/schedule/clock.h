// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Virtual time, in nanoseconds since the start of the execution. It advances when nobody can run (to the earliest
// deadline) and by a tick each time it is read, so that it never stands still for a program that looks at it.
#pragma once

#include <time.h>

#include <cstdint>

#include "runtime/platform/hidden.h"

namespace ravel::rt {

RAVEL_HIDDEN extern std::uint64_t g_now;
inline std::uint64_t virtual_now() {
  return g_now;
}
// When the program's next timer goes off (signals/virtual_timers.h); kNever: none is armed.
RAVEL_HIDDEN extern std::uint64_t g_next_timer;
void advance_clock_to(std::uint64_t when);
void advance_clock_by(std::uint64_t nanoseconds);

// Conversion between a clock of the program and virtual time. Clocks that count CPU time follow virtual time too.
timespec clock_value(clockid_t clock, std::uint64_t when);
// The time that looking at the clock has taken: who looked first is up to the schedule.
std::uint64_t time_of_looks();
// How often the program has been shown a time.
std::uint64_t clock_looks();
// The virtual time at which `clock` shows `when`; already passed times yield 0.
std::uint64_t virtual_deadline(clockid_t clock, const timespec& when);
std::uint64_t nanoseconds_of(const timespec& duration);

bool valid_timespec(const timespec* t);

}  // namespace ravel::rt
