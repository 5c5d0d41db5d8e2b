// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The program's own sleeps: shown to the tool, and shortened by timeoutTamper.
#include <errno.h>

#include "free/gate.h"
#include "free/library.h"
#include "free/recorder.h"

using namespace ravel;
using namespace ravel::fr;

namespace {

constexpr std::uint64_t kBillion = 1'000'000'000;

bool tampers() {
  return t_self != nullptr && g_block->request.noise.on && g_block->request.noise.tampers;
}

// Times uniform(0, 1).
std::uint64_t shortened(std::uint64_t time) {
  return tampers() ? t_state.random.below(time + 1) : time;
}

bool is_valid(const timespec* time) {
  return time != nullptr && time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < static_cast<long>(kBillion);
}

std::uint64_t nanoseconds(const timespec& time) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 33;  // seconds: 272 years
  const auto seconds = static_cast<std::uint64_t>(time.tv_sec);
  return (seconds < kMost ? seconds : kMost) * kBillion + static_cast<std::uint64_t>(time.tv_nsec);
}

timespec as_time(std::uint64_t ns) {
  return {static_cast<time_t>(ns / kBillion), static_cast<long>(ns % kBillion)};
}

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
  if (tampers() && is_valid(time)) {
    changed = as_time(shortened(nanoseconds(*time)));
    time = &changed;
  }
  return sleep_with(RAVEL_FREE_CALLER, [=] { return library().nanosleep(time, left); });
}

RAVEL_FREE_EXPORT int clock_nanosleep(clockid_t clock, int flags, const timespec* time, timespec* left) {
  timespec changed{};
  if (tampers() && is_valid(time)) {
    if ((flags & TIMER_ABSTIME) == 0) {
      changed = as_time(shortened(nanoseconds(*time)));
      time = &changed;
    } else if (timespec now{}; clock_gettime(clock, &now) == 0 && nanoseconds(now) < nanoseconds(*time)) {
      changed = as_time(nanoseconds(now) + shortened(nanoseconds(*time) - nanoseconds(now)));
      time = &changed;
    }
  }
  return sleep_with(RAVEL_FREE_CALLER, [=] { return library().clock_nanosleep(clock, flags, time, left); });
}

RAVEL_FREE_EXPORT int usleep(unsigned microseconds) {
  const auto time = static_cast<unsigned>(shortened(microseconds));
  return sleep_with(RAVEL_FREE_CALLER, [=] { return library().usleep(time); });
}

RAVEL_FREE_EXPORT unsigned sleep(unsigned seconds) {
  const auto time = static_cast<unsigned>(shortened(seconds));
  return sleep_with(RAVEL_FREE_CALLER, [=] { return library().sleep(time); });
}
