// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/schedule/scheduler.h"

#include <utility>

#include "base/invariant.h"
#include "runtime/fiber/context_switch.h"
#include "runtime/fiber/question.h"
#include "runtime/fiber/signal_mask.h"
#include "runtime/platform/raw.h"
#include "runtime/record/end_of_execution.h"
#include "runtime/record/recorder.h"
#include "runtime/record/watch.h"
#include "runtime/schedule/clock.h"
#include "runtime/schedule/decision.h"
#include "runtime/schedule/enabled.h"
#include "runtime/schedule/gate.h"
#include "runtime/schedule/goals.h"
#include "runtime/schedule/guide.h"
#include "runtime/schedule/heap_check.h"
#include "runtime/schedule/idle.h"
#include "runtime/schedule/mail.h"
#include "runtime/schedule/passing_time.h"
#include "runtime/schedule/schedule_log.h"
#include "runtime/schedule/scheduler_state.h"
#include "runtime/schedule/upcalls.h"

namespace ravel::rt {

constinit Scheduler g_scheduler;
static_assert(sizeof(QuickPoint) + 24 <= 64, "the quick path and the counts of the ready set share a cache line");

namespace {

constexpr ReadySet& ready = g_scheduler.ready;
constexpr QuickPoint& quick = g_scheduler.quick;
constexpr PolicySeat& seat = g_scheduler.seat;

void make_stale() {
  g_scheduler.make_stale();
}

void stop_spinning(VirtualThread& thread) {
  thread.pending.spinning = false;
  thread.pending.enabled = nullptr;
  make_stale();
}

inline void switch_to(VirtualThread& next) {
  if (&next == g.current) return;
  INVARIANT(next.state == ThreadState::kLive, "only a live thread is on the ready list");
  ++g.block->result.switches;
  quick.in_a_row = 0;
  g_same_thread_events = 0;
  quick.mode = QuickPoint::Mode::kNone;
  VirtualThread* from = g.current;
  if (g_filter.wrote) from->spin.progress();
  g_filter.wrote = false;
  g.current = &next;
  if (from->signal_mask != next.signal_mask) apply_signal_mask(next);
  resume_stretch(next);
  if (g.direct) show_threads_to_debugger(next);
  ravel_switch(&from->sp, next.sp, next.fs_base, seat.fast_thread_pointer ? 1 : 0);
  answer_if_asked();
}

// The one that was decided on.
void let_run(VirtualThread& next) {
  if (!next.enabled) {
    make_stale();
    wake_by_choice(next);
  }
  next.chosen = true;
  if (next.pending.spinning) stop_spinning(next);
  switch_to(next);
}

// The only one that is ready.
void pass_alone(VirtualThread& next) {
  pass_if_step(next);
  if (next.enabled) return;  // else its time-out is all that can happen
  make_stale();
  wake_by_choice(next);
}

void schedule(bool yields) {
  // A handler that blocks is left after all: the signal stays blocked in the meantime, as it would.
  const std::uint32_t in_handler = std::exchange(g.in_handler, 0);
  for (;;) {
    if (time_is_due()) pass_time();
    if (g_next_timer <= virtual_now()) fire_timers();
    ready.refresh(*g.current);
    if (seat.watches_blocked) show_blocked(*seat.policy);
    VirtualThread* next = nullptr;
    if (__builtin_expect(static_cast<long>(g_scheduler.gated), 0) && ready.count() != 0) {
      const Admitted admitted = decide_at_gate(yields);
      next = admitted.next;
      if (next == nullptr && (refresh_waiting_io() || wait_for_foreign())) {
        make_stale();
        continue;
      }
      // Time passes only when nobody can run, admitted or not.
      if (next == nullptr) next = next_spinner();
      if (next == nullptr || gate_is_shut()) finish_held();
      if (admitted.decided) {
        let_run(*next);
        g.in_handler = in_handler;
        return;
      }
      if (ready.count() == 1 && admitted.next != nullptr) pass_alone(*next);
    } else if (ready.count() == 1) {
      next = &ready[0];
      pass_alone(*next);
    } else if ((next = next_undecided()) != nullptr) {
      // no decision
    } else if (ready.count() != 0) {
      let_run(decide(yields));
      g.in_handler = in_handler;
      return;
    } else if (refresh_waiting_io() || wait_for_foreign() || advance_time() || wait_for_outside()) {
      make_stale();
      continue;
    } else {
      next = next_spinner();
      if (next == nullptr) finish_deadlock();
    }
    if (next->pending.spinning) stop_spinning(*next);
    switch_to(*next);
    g.in_handler = in_handler;
    return;
  }
}

void point_with_mail(bool decided);

}  // namespace

void begin_schedule() {
  seat.fast_thread_pointer = has_fsgsbase();
  seat.policy = &policy_for(plan().policy.kind);
  begin_schedule_log();
  if (is_guided(plan().policy.kind)) seat.policy->guide(guide_seat());
  if (plan().policy.kind == PolicyKind::kFulfil) seat.policy->seek(goal_seat());
  seat.policy->begin(plan().policy);
  seat.watches = seat.policy->watches();
  seat.watches_blocked = seat.policy->watches_blocked();
  seat.goes_on = seat.policy->goes_on();
  seat.blind = seat.policy->is_blind() && !seat.watches && !seat.watches_blocked;
  constexpr unsigned kAccesses =
      1u << static_cast<unsigned>(OpClass::kPlain) | 1u << static_cast<unsigned>(OpClass::kAtomic);
  seat.accesses_decide = (plan().excluded_classes & kAccesses) == 0 && (plan().faults & kFaultWeakCas) == 0;
  quick = {};
  g_scheduler.gated = begin_gate();
  ready.shows_operations = !seat.blind || g_scheduler.gated || plan().without_shortcuts != 0;
  begin_passing_time();
  ready.listed_at = kNotListed;
}

void changed() {
  make_stale();
}

void changed_mutex(std::uintptr_t mutex) {
  g_scheduler.make_stale_by(mutex);
}

void set_tail(bool tail) {
  g_tail = tail;
  g_filter.fast_path = choose_fast_path();
  changed();
}

namespace {
// The running thread has passed a point: what will its next ones be, if all stays as it is?
void expect_quick_points(const VirtualThread& self) {
  quick.mode = QuickPoint::Mode::kNone;
  if ((ready.count() != 1 && !seat.goes_on && !seat.blind) || g.block->plan.without_shortcuts != 0) return;
  if (!ready.is_right_for(self) || seat.watches || g_following_plan || g_tail || !seat.accesses_decide ||
      self.mask_stale || self.cancel_requested || g.in_handler != 0 || g_next_timer != kNever || time_passes()) {
    return;
  }
  if (ready.count() == 1) {
    quick.mode = QuickPoint::Mode::kForced;
    return;
  }
  ExecutionResult& result = g.block->result;
  if (ready.listed_at == kNotListed || next_undecided() != nullptr || result.segments == 0) return;
  INVARIANT(result.segments <= kMaxSegments, "what does not fit is marked as truncated");
  Segment& last = g.block->schedule[result.segments - 1];
  if (last.thread != self.index || result.schedule_truncated != 0) return;
  quick.segment = &last;
  quick.options = ready.count();
  quick.enabled_at = ready.listed_at;
  quick.mode = seat.goes_on ? QuickPoint::Mode::kGoesOn : QuickPoint::Mode::kDraws;
}
}  // namespace

namespace {
// With a sequence there is no quick path: the gate is asked at every point.
void pass_gated_point() {
  VirtualThread& self = *g.current;
  const Pending& pending = self.pending;
  const bool alone = pending.enabled == nullptr && g.live == 1;
  if (alone || ((is_excluded(pending.kind) || g.in_handler != 0) && is_enabled(self))) {
    if (!gate_admits(self) || gate_is_shut()) finish_held();
    return pass_if_step(self);
  }
  if (pending.enabled != nullptr) make_stale();
  schedule(pending.kind == OpKind::kYield);
  if (self.pending.enabled != nullptr) make_stale();
  if (has_mail(self)) return point_with_mail(true);
  if (seat.watches) seat.policy->executed(view_of(self));
  quick.mode = QuickPoint::Mode::kNone;
}

void pass_point() {
  VirtualThread& self = *g.current;
  const Pending& pending = self.pending;
  self.wake = WakeReason::kNormal;
  self.had_to_wait = false;
  self.chosen = false;
  self.at_point = true;
  ++g_passing.points;
  if (self.mask_stale) refresh_signal_mask(self);
  if (seat.watches_blocked) {
    seat.policy->arrived(view_of(self));
    if (seat.policy->gives_up()) finish_abandoned();
  }
  if (has_mail(self)) return point_with_mail(false);
  if (__builtin_expect(static_cast<long>(g_scheduler.gated), 0)) return pass_gated_point();
  if (pending.enabled == nullptr) {
    // Alone, or nobody else can run: nothing to decide.
    if (g.live == 1 || g.in_handler != 0 || is_excluded(pending.kind)) {
      if (seat.watches_blocked) seat.policy->executed(view_of(self));
      return pass_if_step(self);
    }
    if (!ready.is_right_for(self) || plan().excluded_classes != 0 || g_next_timer <= virtual_now() || time_is_due()) {
      schedule(pending.kind == OpKind::kYield);
    } else if (ready.count() == 1) {
      pass_if_step(self);
    } else {
      // As a rule nothing has changed but what this thread is about to do.
      ready.update(self);
      let_run(decide(pending.kind == OpKind::kYield));
    }
    if (has_mail(self)) return point_with_mail(true);
  } else {
    g_scheduler.make_own_stale();
    if ((is_excluded(pending.kind) || g.in_handler != 0) && is_enabled(self)) {
      if (seat.watches_blocked) seat.policy->executed(view_of(self));
      return pass_if_step(self);
    }
    schedule(false);
    if (self.pending.enabled != nullptr) g_scheduler.make_own_stale();
    if (has_mail(self)) return point_with_mail(true);
  }
  if (seat.watches) seat.policy->executed(view_of(self));
  expect_quick_points(self);
}
}  // namespace

bool drawn_may_run() {
  return quick.drawn != QuickPoint::kNobody && plan().excluded_classes == 0 && ready[quick.drawn].enabled;
}

// What pass_point() does where the running thread waits for nothing, nothing has reached it, and decide() finds a draw.
void point_to_drawn() {
  VirtualThread& self = *g.current;
  VirtualThread& next = ready[std::exchange(quick.drawn, QuickPoint::kNobody)];
  INVARIANT(&next != &self && next.enabled, "another thread was drawn, which can run");
  self.wake = WakeReason::kNormal;
  self.had_to_wait = false;
  self.chosen = false;
  self.at_point = true;
  ++g_passing.points;
  ready.update(self);
  log_choice(next.index, ready.count(), self.index, ready.log());
  ++g.block->result.preemptions;
  next.chosen = true;
  switch_to(next);
  if (has_mail(self)) {
    point_with_mail(true);
  } else {
    expect_quick_points(self);
  }
  self.passed_at = g_recorder.written;
}

void show_start() {
  if (seat.watches_blocked) seat.policy->executed(view_of(*g.current));
}

void point_here() {
  pass_point();
  g.current->passed_at = g_recorder.written;
}

void point(const Pending& pending) {
  g.current->pending = pending;
  point_here();
  // Others have run in the meantime.
  if (pending.address != 0) check_alive(pending.address, pending.kind, pending.size, pending.location);
}

namespace {
// Handlers run before the pending operation, with points of their own; then it is pending as it was. `decided`: the
// thread has passed the point, and what it does now is the step behind it. False: one of them interrupts system calls.
bool run_handlers_first(bool decided) {
  VirtualThread& self = *g.current;
  const Pending pending = self.pending;
  const QueuePlace place = self;
  const WakeReason wake = self.wake;
  const bool restarts = run_handlers(decided);
  self.pending = pending;
  self.at_point = true;
  static_cast<QueuePlace&>(self) = place;
  self.wake = wake;
  make_stale();
  return restarts;
}

// The wait ends for another reason than the one it was for; it may still have to get a lock back. `again`: the
// operation needs a point of its own, since the last one was a handler's, or there was none.
void end_wait(WakeReason why, bool again) {
  VirtualThread& self = *g.current;
  self.wake = why;
  INVARIANT(self.pending.enabled != nullptr, "a wait without a predicate is not interrupted");
  while (again || !self.pending.enabled(self)) {
    self.chosen = false;
    make_stale();
    schedule(false);
    again = has_signal(self);
    if (again) (void)run_handlers_first(true);
  }
  make_stale();
}

// A signal or a cancellation has reached the thread before its operation.
void point_with_mail(bool decided) {
  VirtualThread& self = *g.current;
  const bool handles = has_signal(self);
  if (handles) {
    const bool restarts = run_handlers_first(decided);
    const Pending& pending = self.pending;
    const bool interrupts =
        pending.interruption == Interruption::kAlways || (pending.interruption == Interruption::kRestart && !restarts);
    INVARIANT(pending.enabled != nullptr || !interrupts, "a wait without a predicate is not interrupted");
    if (self.wake != WakeReason::kNormal) return end_wait(self.wake, true);  // it was over before the handler ran
    if (interrupts && !pending.enabled(self)) return end_wait(WakeReason::kInterrupted, true);
  }
  if (is_cancelled(self)) {
    // The operation takes itself back, then acts on it.
    if (self.pending.enabled != nullptr && self.pending.cancellable) {
      return end_wait(WakeReason::kInterrupted, handles || !decided);
    }
    act_on_cancellation(decided && !handles);
  }
  const Pending pending = self.pending;
  point(pending);
}
}  // namespace

void wait_spinning(const Pending& pending) {
  VirtualThread& self = *g.current;
  self.pending = pending;
  self.wake = WakeReason::kNormal;
  make_stale();
  schedule(true);
  if (has_signal(self)) {
    (void)run_handlers();
    make_stale();
  }
}

void add_thread(VirtualThread& thread) {
  ready.add(thread);
  ++g.live;
  if (g.live > g.block->result.max_live) g.block->result.max_live = g.live;
  make_stale();
}

void remove_thread(VirtualThread& thread) {
  ready.remove(thread);
  --g.live;
  make_stale();
}

std::uint32_t live_threads(VirtualThread* const*& list) {
  list = ready.live().data();
  return static_cast<std::uint32_t>(ready.live().size());
}

VirtualThread* live_thread(ThreadIndex index) {
  for (VirtualThread* const thread : ready.live()) {
    if (thread->index == index) return thread;
  }
  return nullptr;
}

void leave_for_ever() {
  schedule(false);
  fatal("a thread that has ended was resumed");
}

void give_way_after_events() {
  if (g.in_handler != 0) return;
  g_same_thread_events = 0;
  // First the operation, then the ready set: what the thread did last may be a lock, which its own holding disables.
  Pending pending;
  pending.kind = OpKind::kYield;
  pending.silent = true;
  g.current->pending = pending;
  g_passing.points += kFairEvents / 1'000;
  if (time_is_due()) pass_time();
  ready.rebuild();
  if (ready.count() < 2) return;
  schedule(true);
}

}  // namespace ravel::rt
