// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/intercept/timer_descriptors.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/timerfd.h>

#include "runtime/fiber/home.h"
#include "runtime/intercept/call_result.h"
#include "runtime/intercept/export.h"
#include "runtime/schedule/clock.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/signals/virtual_timers.h"
#include "runtime/state/thread.h"
#include "runtime/world/io.h"

using namespace ravel;
using namespace ravel::rt;

namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;
// Clocks that differ from these two only while the machine sleeps; here they are the same.
constexpr bool is_known(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC || clock == CLOCK_BOOTTIME;
}

void count_expiry(sigval value) {
  const std::uint64_t one = 1;
  raw_syscall(SYS_write, value.sival_int, reinterpret_cast<long>(&one), sizeof one);
  note_io_change();
  changed();
}

// A timer that is set again begins to count again.
void empty(int descriptor) {
  const long flags = raw_syscall(SYS_fcntl, descriptor, F_GETFL);
  raw_syscall(SYS_fcntl, descriptor, F_SETFL, flags | O_NONBLOCK);
  std::uint64_t count = 0;
  raw_syscall(SYS_read, descriptor, reinterpret_cast<long>(&count), sizeof count);
  raw_syscall(SYS_fcntl, descriptor, F_SETFL, flags);
  note_io_change();
}

itimerspec setting_of(const TimerState& state) {
  const std::uint64_t now = virtual_now();
  const std::uint64_t left = state.expiry == kNever ? 0 : state.expiry > now ? state.expiry - now : 1;
  const auto span = [](std::uint64_t ns) {
    return timespec{static_cast<time_t>(ns / kSecond), static_cast<long>(ns % kSecond)};
  };
  return {span(state.interval), span(left)};
}

}  // namespace

void ravel::rt::forget_timer_descriptor(int descriptor) {
  const int timer = find_timer(count_expiry, descriptor);
  if (timer >= 0) (void)delete_timer(timer);
}

RAVEL_EXPORT int timerfd_create(clockid_t clock, int flags) noexcept {
  RAVEL_PASS_THROUGH(timerfd_create, clock, flags);
  if (!is_known(clock)) return static_cast<int>(as_c_result(-EINVAL));
  const long descriptor = call_for_program(SYS_eventfd2, 0, flags);
  if (descriptor < 0) return static_cast<int>(as_c_result(descriptor));
  sigevent event = {};
  event.sigev_notify = kNotifyCall;
  event.sigev_notify_function = count_expiry;
  event.sigev_value.sival_int = static_cast<int>(descriptor);
  if (make_timer(&event, clock) >= 0) return static_cast<int>(descriptor);
  call_for_program(SYS_close, descriptor);
  return static_cast<int>(as_c_result(-EMFILE));
}

RAVEL_EXPORT int timerfd_settime(int descriptor, int flags, const itimerspec* wanted, itimerspec* old) noexcept {
  if (!g.in_control) {
    return static_cast<int>(as_c_result(raw_syscall(SYS_timerfd_settime, descriptor, flags,
                                                    reinterpret_cast<long>(wanted), reinterpret_cast<long>(old))));
  }
  const int timer = find_timer(count_expiry, descriptor);
  if (timer < 0 || !valid_timespec(&wanted->it_value) || !valid_timespec(&wanted->it_interval)) {
    return static_cast<int>(as_c_result(-EINVAL));
  }
  if (old != nullptr) *old = setting_of(timer_state(timer));
  const std::uint64_t value = nanoseconds_of(wanted->it_value);
  TimerState state = {kNever, nanoseconds_of(wanted->it_interval)};
  if (value != 0) {
    const bool absolute = (flags & TFD_TIMER_ABSTIME) != 0;
    state.expiry = absolute ? virtual_deadline(clock_of_timer(timer), wanted->it_value) : virtual_now() + value;
  }
  arm_timer(timer, {kNever, 0}, RAVEL_CALLER);  // others may run here
  empty(descriptor);
  set_timer(timer, state);
  return 0;
}

RAVEL_EXPORT int timerfd_gettime(int descriptor, itimerspec* now) noexcept {
  if (!g.in_control) {
    return static_cast<int>(as_c_result(raw_syscall(SYS_timerfd_gettime, descriptor, reinterpret_cast<long>(now))));
  }
  const int timer = find_timer(count_expiry, descriptor);
  if (timer < 0) return static_cast<int>(as_c_result(-EINVAL));
  *now = setting_of(timer_state(timer));
  return 0;
}
