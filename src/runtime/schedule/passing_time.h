// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Time passes while threads work (TimeoutMode::kPassing): while somebody sleeps, polls the clock or has set a timer,
// each scheduling point that the others pass costs some virtual time. So a sleep is over after a bounded amount of
// work: waking up is always possible, and a thread that sleeps before it tells the others to stop would never do so
// else.
//
// Time-outs of waits do not come this way. They come when nobody can run (advance_time() in scheduler.cc), so that a
// time-out that is generous never fires. A thread that sleeps longer than another waits does not wake first, unless
// that other one has been passed over for long.
#pragma once

#include <cstdint>

#include "runtime/platform/hidden.h"

namespace ravel::rt {

// Counted where time may pass: quick points are not used then.
struct PassingTime {
  std::uint64_t points = 0;
  std::uint64_t due = ~std::uint64_t{0};  // when time has passed to the next wake-up; kNever: nobody sleeps
};
RAVEL_HIDDEN extern PassingTime g_passing;
inline bool time_is_due() {
  return __builtin_expect(g_passing.points >= g_passing.due, 0);
}
inline bool time_passes() {
  return g_passing.due != ~std::uint64_t{0};
}

// Somebody is going to sleep until then, or has set a timer.
void expect_wake_up(std::uint64_t when);
// Before somebody looks at the clock: what the points since the last look have cost. True: somebody sleeps, so that how
// fast the others are shows.
bool catch_up_time();
// Time is due. Somebody may become enabled.
void pass_time();
void begin_passing_time();

}  // namespace ravel::rt
