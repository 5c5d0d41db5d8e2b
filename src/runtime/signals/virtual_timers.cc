// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/signals/virtual_timers.h"

#include <string.h>

#include "base/large_table.h"
#include "model/tables.h"
#include "runtime/record/objects.h"
#include "runtime/record/recorder.h"
#include "runtime/record/watch.h"
#include "runtime/schedule/clock.h"
#include "runtime/schedule/passing_time.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/schedule/upcalls.h"
#include "runtime/signals/delivery.h"
#include "runtime/sync/lifecycle.h"

namespace ravel::rt {

namespace {

struct Timer {
  bool used;
  clockid_t clock;
  sigevent event;
  TimerState state;
};
constexpr int kTimers = 64;
RAVEL_LARGE_TABLE Timer timers[kTimers];
bool prepared = false;

constexpr int kIntervalSignals[kIntervalTimers] = {SIGALRM, SIGVTALRM, SIGPROF};

void prepare() {
  if (prepared) return;
  prepared = true;
  for (Timer& timer : timers) timer.state = {kNever, 0};
  for (int i = 0; i < kIntervalTimers; ++i) {
    timers[i].used = true;
    timers[i].event.sigev_notify = SIGEV_SIGNAL;
    timers[i].event.sigev_signo = kIntervalSignals[i];
  }
}

void find_earliest() {
  changed();
  g_next_timer = kNever;
  for (const Timer& timer : timers) {
    if (timer.used && timer.state.expiry < g_next_timer) g_next_timer = timer.state.expiry;
  }
  expect_wake_up(g_next_timer);
}

// The body of a thread that a timer makes: the function gets the timer's value.
void* run_notification(void* argument) {
  const sigevent event = static_cast<Timer*>(argument)->event;
  record(OpKind::kSignalHandle, 0, 0, channel_address(kSignalsChannel), 0, 0);
  event.sigev_notify_function(event.sigev_value);
  return nullptr;
}

void notify(Timer& timer) {
  switch (timer.event.sigev_notify) {
    case SIGEV_NONE:
      break;
    case kNotifyCall:
      timer.event.sigev_notify_function(timer.event.sigev_value);
      break;
    case SIGEV_THREAD: {
      // A child of main: the thread that happens to run now has nothing to do with it.
      VirtualThread* const running = g.current;
      g.current = g.main;
      VirtualThread* const made = spawn(*g.main, true, 0, run_notification, &timer, 0);
      if (made != nullptr) record(OpKind::kThreadCreate, 0, 0, 0, 0, made->index);
      g.current = running;
      break;
    }
    default:
      post_signal(timer.event.sigev_signo, SI_TIMER, timer.event.sigev_value.sival_ptr);
      break;
  }
}

}  // namespace

void fire_timers() {
  const std::uint64_t now = virtual_now();
  for (Timer& timer : timers) {
    if (!timer.used || timer.state.expiry > now) continue;
    count_step();
    timer.state.expiry = timer.state.interval == 0 ? kNever : timer.state.expiry + timer.state.interval;
    if (timer.state.expiry <= now) timer.state.expiry = now + timer.state.interval;
    notify(timer);
  }
  find_earliest();
  changed();
}

int make_timer(const sigevent* event, clockid_t clock) {
  prepare();
  for (int i = kIntervalTimers; i < kTimers; ++i) {
    Timer& timer = timers[i];
    if (timer.used) continue;
    timer.used = true;
    timer.clock = clock;
    timer.state = {kNever, 0};
    if (event != nullptr) {
      timer.event = *event;
    } else {
      memset(&timer.event, 0, sizeof timer.event);
      timer.event.sigev_signo = SIGALRM;
      timer.event.sigev_value.sival_int = i;
    }
    return i;
  }
  return -1;
}

bool is_timer(int timer) {
  prepare();
  return timer >= 0 && timer < kTimers && timers[timer].used;
}

int find_timer(void (*function)(sigval), int value) {
  for (int i = kIntervalTimers; i < kTimers; ++i) {
    const Timer& timer = timers[i];
    const bool calls = timer.used && timer.event.sigev_notify == kNotifyCall;
    if (calls && timer.event.sigev_notify_function == function && timer.event.sigev_value.sival_int == value) return i;
  }
  return -1;
}

bool delete_timer(int timer) {
  if (!is_timer(timer) || timer < kIntervalTimers) return false;
  timers[timer].used = false;
  timers[timer].state = {kNever, 0};
  find_earliest();
  return true;
}

clockid_t clock_of_timer(int timer) {
  return timers[timer].clock;
}

TimerState timer_state(int timer) {
  prepare();
  return timers[timer].state;
}

void arm_timer(int timer, TimerState state, LocationId location) {
  prepare();
  Pending pending;
  pending.kind = OpKind::kSignalSend;
  pending.address = channel_address(kSignalsChannel);
  pending.location = location;
  pending.value = kNoThread;
  point(pending);
  record_pending(0, kNoThread);
  set_timer(timer, state);
}

void set_timer(int timer, TimerState state) {
  timers[timer].state = state;
  find_earliest();
  // A thread that is alone and loops until a handler has run must be looked at, or time would never pass.
  if (state.expiry != kNever) g_watch = true;
  changed();
}

}  // namespace ravel::rt
