// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// alarm, setitimer, timer_create and their kin.
#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "runtime/intercept/call_result.h"
#include "runtime/intercept/export.h"
#include "runtime/schedule/clock.h"
#include "runtime/signals/virtual_timers.h"
#include "runtime/state/thread.h"

using namespace ravel;
using namespace ravel::rt;

namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

std::uint64_t left_of(const TimerState& state) {
  if (state.expiry == kNever) return 0;
  return state.expiry > virtual_now() ? state.expiry - virtual_now() : 1;
}

timespec span(std::uint64_t nanoseconds) {
  return {static_cast<time_t>(nanoseconds / kSecond), static_cast<long>(nanoseconds % kSecond)};
}
timeval micro_span(std::uint64_t nanoseconds) {
  return {static_cast<time_t>(nanoseconds / kSecond), static_cast<suseconds_t>(nanoseconds % kSecond / 1000)};
}
std::uint64_t nanoseconds_of(const timeval& duration) {
  return ravel::rt::nanoseconds_of(timespec{duration.tv_sec, duration.tv_usec * 1000});
}

TimerState armed(std::uint64_t first, std::uint64_t interval) {
  return {first == 0 ? kNever : virtual_now() + first, interval};
}

// The C library hands timers around as pointers; ours are small numbers, never null.
timer_t handle_of(int timer) {
  return reinterpret_cast<timer_t>(static_cast<std::intptr_t>(timer + 1));
}
int timer_of(timer_t handle) {
  return static_cast<int>(reinterpret_cast<std::intptr_t>(handle)) - 1;
}

}  // namespace

RAVEL_EXPORT unsigned alarm(unsigned seconds) noexcept {
  RAVEL_PASS_THROUGH(alarm, seconds);
  const std::uint64_t left = left_of(timer_state(0));
  arm_timer(0, armed(seconds * kSecond, 0), RAVEL_CALLER);
  return static_cast<unsigned>((left + kSecond - 1) / kSecond);
}

RAVEL_EXPORT useconds_t ualarm(useconds_t first, useconds_t interval) noexcept {
  RAVEL_PASS_THROUGH(ualarm, first, interval);
  const std::uint64_t left = left_of(timer_state(0));
  arm_timer(0, armed(first * std::uint64_t{1000}, interval * std::uint64_t{1000}), RAVEL_CALLER);
  return static_cast<useconds_t>(left / 1000);
}

// The C library's headers disagree about the type of `which` in C++.
RAVEL_EXPORT int ravel_setitimer(int which, const itimerval* wanted, itimerval* old) noexcept __asm__("setitimer");
RAVEL_EXPORT int ravel_setitimer(int which, const itimerval* wanted, itimerval* old) noexcept {
  if (!g.in_control) return real().setitimer(static_cast<__itimer_which_t>(which), wanted, old);
  if (which < 0 || which >= kIntervalTimers) return static_cast<int>(as_c_result(-EINVAL));
  const TimerState before = timer_state(which);
  if (old != nullptr) *old = {micro_span(before.interval), micro_span(left_of(before))};
  if (wanted != nullptr) {
    arm_timer(which, armed(nanoseconds_of(wanted->it_value), nanoseconds_of(wanted->it_interval)), RAVEL_CALLER);
  }
  return 0;
}

RAVEL_EXPORT int ravel_getitimer(int which, itimerval* now) noexcept __asm__("getitimer");
RAVEL_EXPORT int ravel_getitimer(int which, itimerval* now) noexcept {
  if (!g.in_control) return real().getitimer(static_cast<__itimer_which_t>(which), now);
  if (which < 0 || which >= kIntervalTimers) return static_cast<int>(as_c_result(-EINVAL));
  const TimerState state = timer_state(which);
  *now = {micro_span(state.interval), micro_span(left_of(state))};
  return 0;
}

RAVEL_EXPORT int timer_create(clockid_t clock, sigevent* event, timer_t* handle) noexcept {
  RAVEL_PASS_THROUGH(timer_create, clock, event, handle);
  const int timer = make_timer(event, clock);
  if (timer < 0) return static_cast<int>(as_c_result(-EAGAIN));
  *handle = handle_of(timer);
  return 0;
}

RAVEL_EXPORT int timer_delete(timer_t handle) noexcept {
  RAVEL_PASS_THROUGH(timer_delete, handle);
  return static_cast<int>(as_c_result(delete_timer(timer_of(handle)) ? 0 : -EINVAL));
}

RAVEL_EXPORT int timer_settime(timer_t handle, int flags, const itimerspec* wanted, itimerspec* old) noexcept {
  RAVEL_PASS_THROUGH(timer_settime, handle, flags, wanted, old);
  const int timer = timer_of(handle);
  if (!is_timer(timer) || !valid_timespec(&wanted->it_value)) return static_cast<int>(as_c_result(-EINVAL));
  const TimerState before = timer_state(timer);
  if (old != nullptr) *old = {span(before.interval), span(left_of(before))};
  const std::uint64_t value = ravel::rt::nanoseconds_of(wanted->it_value);
  TimerState state = armed(value, ravel::rt::nanoseconds_of(wanted->it_interval));
  if (value != 0 && (flags & TIMER_ABSTIME) != 0) {
    state.expiry = virtual_deadline(clock_of_timer(timer), wanted->it_value);
  }
  arm_timer(timer, state, RAVEL_CALLER);
  return 0;
}

RAVEL_EXPORT int timer_gettime(timer_t handle, itimerspec* now) noexcept {
  RAVEL_PASS_THROUGH(timer_gettime, handle, now);
  if (!is_timer(timer_of(handle))) return static_cast<int>(as_c_result(-EINVAL));
  const TimerState state = timer_state(timer_of(handle));
  *now = {span(state.interval), span(left_of(state))};
  return 0;
}

RAVEL_EXPORT int timer_getoverrun(timer_t handle) noexcept {
  RAVEL_PASS_THROUGH(timer_getoverrun, handle);
  return is_timer(timer_of(handle)) ? 0 : static_cast<int>(as_c_result(-EINVAL));
}
