// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The program's own sleeps: shown to the tool, and shortened by timeoutTamper.
#include <errno.h>

#include "free/gate.h"
#include "free/library.h"
#include "free/noise/timeout_tamper.h"
#include "free/recorder.h"

using namespace ravel;
using namespace ravel::fr;

namespace {

template <class Sleep>
auto sleep_with(std::uintptr_t pc, Sleep sleep) {
  FreeThread* self = t_self;
  if (self == nullptr) return sleep();
  before_sync(pc);
  const Waits waits(*self, OpKind::kSleep, 0, pc, true);
  return sleep();
}

}  // namespace

RAVEL_FREE_EXPORT int nanosleep(const timespec* time, timespec* left) {
  timespec changed{};
  if (tampers() && is_valid_time(time)) {
    changed = shortened(*time);
    time = &changed;
  }
  return sleep_with(RAVEL_FREE_CALLER, [=] { return library().nanosleep(time, left); });
}

RAVEL_FREE_EXPORT int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* left) {
  timespec changed{};
  if (tampers() && is_valid_time(time)) {
    changed = (flags & TIMER_ABSTIME) == 0 ? shortened(*time) : shortened_until(clock, *time);
    time = &changed;
  }
  return sleep_with(RAVEL_FREE_CALLER, [=] { return library().clock_nanosleep(clock, flags, time, left); });
}

RAVEL_FREE_EXPORT int usleep(unsigned microseconds) {
  const auto time = static_cast<unsigned>(shortened(std::uint64_t{microseconds}));
  return sleep_with(RAVEL_FREE_CALLER, [=] { return library().usleep(time); });
}

RAVEL_FREE_EXPORT unsigned sleep(unsigned seconds) {
  const auto time = static_cast<unsigned>(shortened(std::uint64_t{seconds}));
  return sleep_with(RAVEL_FREE_CALLER, [=] { return library().sleep(time); });
}
