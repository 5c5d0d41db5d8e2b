// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Time: clocks show virtual time, sleeping takes none.
#include <errno.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "runtime/intercept/export.h"
#include "runtime/schedule/clock.h"
#include "runtime/sync/time_wait.h"

using namespace ravel;
using namespace ravel::rt;

namespace {
constexpr std::uint64_t kMicrosecond = 1'000;
constexpr std::uint64_t kSecond = 1'000'000'000;

std::uint64_t after(std::uint64_t nanoseconds) {
  const std::uint64_t now = virtual_now();
  return now + nanoseconds < now ? kNever - 1 : now + nanoseconds;
}

timespec time_left(std::uint64_t deadline) {
  const std::uint64_t left = deadline > virtual_now() ? deadline - virtual_now() : 0;
  return {static_cast<time_t>(left / kSecond), static_cast<long>(left % kSecond)};
}
}  // namespace

RAVEL_EXPORT int clock_gettime(clockid_t clock, timespec* result) noexcept {
  RAVEL_PASS_THROUGH(clock_gettime, clock, result);
  *result = clock_value(clock, read_clock(RAVEL_CALLER));
  return 0;
}

RAVEL_EXPORT int gettimeofday(timeval* result, void* zone) noexcept {
  RAVEL_PASS_THROUGH(gettimeofday, result, zone);
  const timespec now = clock_value(CLOCK_REALTIME, read_clock(RAVEL_CALLER));
  *result = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

RAVEL_EXPORT time_t time(time_t* result) noexcept {
  RAVEL_PASS_THROUGH(time, result);
  const time_t now = clock_value(CLOCK_REALTIME, read_clock(RAVEL_CALLER)).tv_sec;
  if (result != nullptr) *result = now;
  return now;
}

RAVEL_EXPORT int timespec_get(timespec* result, int base) noexcept {
  RAVEL_PASS_THROUGH(timespec_get, result, base);
  if (base != TIME_UTC) return 0;
  *result = clock_value(CLOCK_REALTIME, read_clock(RAVEL_CALLER));
  return base;
}

RAVEL_EXPORT clock_t clock() noexcept {
  RAVEL_PASS_THROUGH(clock);
  return static_cast<clock_t>(read_clock(RAVEL_CALLER) / kMicrosecond);
}

RAVEL_EXPORT int nanosleep(const timespec* duration, timespec* rest) {
  RAVEL_PASS_THROUGH(nanosleep, duration, rest);
  if (!valid_timespec(duration) || duration->tv_sec < 0) {
    errno = EINVAL;
    return -1;
  }
  const std::uint64_t deadline = after(nanoseconds_of(*duration));
  if (sleep_until(deadline, RAVEL_CALLER)) return 0;
  if (rest != nullptr) *rest = time_left(deadline);
  errno = EINTR;
  return -1;
}

RAVEL_EXPORT int clock_nanosleep(clockid_t clock, int flags, const timespec* when, timespec* rest) {
  RAVEL_PASS_THROUGH(clock_nanosleep, clock, flags, when, rest);
  if (!valid_timespec(when)) return EINVAL;
  const bool absolute = (flags & TIMER_ABSTIME) != 0;
  const std::uint64_t deadline = absolute ? virtual_deadline(clock, *when) : after(nanoseconds_of(*when));
  if (sleep_until(deadline, RAVEL_CALLER)) return 0;
  if (rest != nullptr && !absolute) *rest = time_left(deadline);
  return EINTR;
}

RAVEL_EXPORT int usleep(useconds_t microseconds) {
  RAVEL_PASS_THROUGH(usleep, microseconds);
  if (sleep_until(after(microseconds * kMicrosecond), RAVEL_CALLER)) return 0;
  errno = EINTR;
  return -1;
}

RAVEL_EXPORT unsigned sleep(unsigned seconds) {
  RAVEL_PASS_THROUGH(sleep, seconds);
  const std::uint64_t deadline = after(seconds * kSecond);
  if (sleep_until(deadline, RAVEL_CALLER)) return 0;
  return static_cast<unsigned>(time_left(deadline).tv_sec);
}
