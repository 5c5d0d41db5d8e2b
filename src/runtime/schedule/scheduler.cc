// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/schedule/scheduler.h"

#include <utility>

#include "runtime/fiber/context_switch.h"
#include "runtime/fiber/signal_mask.h"
#include "runtime/platform/raw.h"
#include "runtime/policy/policy.h"
#include "runtime/record/end_of_execution.h"
#include "runtime/record/recorder.h"
#include "runtime/record/watch.h"
#include "runtime/schedule/clock.h"
#include "runtime/schedule/faults.h"
#include "runtime/schedule/heap_check.h"
#include "runtime/schedule/mail.h"
#include "runtime/schedule/quick_point.h"
#include "runtime/schedule/schedule_log.h"
#include "runtime/schedule/upcalls.h"

namespace ravel::rt {

QuickPoint g_quick;

namespace {

// Threads by order of creation: all that live, and those that could run with what they are about to do. Few of them, as
// a rule: then they are together on one page.
constexpr std::uint32_t kFew = 32;
struct FewThreads {
  VirtualThread* live[kFew];
  VirtualThread* ready[kFew];
  OperationView views[kFew];
};
alignas(64) FewThreads few;
VirtualThread* many_live[kMaxLive];
VirtualThread* many_ready[kMaxLive];
OperationView many_views[kMaxLive];

VirtualThread** live = few.live;
std::uint32_t live_count = 0;
VirtualThread** ready = few.ready;
OperationView* views = few.views;
std::uint32_t ready_count = 0;
bool ready_stale = true;
std::uint32_t spinning_count = 0;  // threads waiting for a value to change: their predicates watch plain memory

Policy* policy = nullptr;
bool policy_watches = true;
bool policy_goes_on = false;  // lets who runs go on, always
bool accesses_decide = true;  // plain and atomic accesses are not excluded, and none fails by an injected fault
std::uint32_t listed_at = kNotListed;  // of the ready list, in SharedBlock::enabled
bool use_wrfsbase = true;

const PlanSpec& plan() {
  return g.block->plan;
}

void make_stale() {
  ready_stale = true;
  g_quick.mode = QuickPoint::Mode::kNone;
}

OperationView view(const VirtualThread& thread) {
  const Pending& p = thread.pending;
  return {p.kind, p.bits, p.size, thread.index, p.address, p.value, p.location};
}

// Predicates look at `wake`: would the thread be enabled if its wait ended for that reason?
bool enabled_by(VirtualThread& thread, WakeReason reason) {
  const WakeReason before = thread.wake;
  thread.wake = reason;
  const bool result = thread.pending.enabled == nullptr || thread.pending.enabled(thread);
  thread.wake = before;
  return result;
}

bool is_enabled(VirtualThread& thread) {
  if (thread.pending.enabled == nullptr || thread.pending.enabled(thread) || has_signal(thread)) return true;
  return is_cancelled(thread) && enabled_by(thread, WakeReason::kInterrupted);
}

bool can_time_out(VirtualThread& thread) {
  return thread.pending.deadline != kNever && plan().timeouts == TimeoutMode::kAdversarial &&
         enabled_by(thread, WakeReason::kTimeout);
}
bool can_wake_spuriously(VirtualThread& thread) {
  return thread.pending.may_wake_spuriously && (plan().faults & kFaultSpuriousWakeup) != 0 && faults_left() &&
         enabled_by(thread, WakeReason::kSpurious);
}

// Spurious wake-ups are only alternatives to somebody who can really run: they never hide a deadlock. Time-outs would
// come anyway; when they are all that is left, adversarial time lets any of them be first.
void rebuild_ready() {
  ready_count = 0;
  spinning_count = 0;
  std::uint32_t really = 0;
  for (std::uint32_t i = 0; i < live_count; ++i) {
    VirtualThread& thread = *live[i];
    thread.enabled = is_enabled(thread);
    if (thread.enabled)
      ++really;
    else
      thread.had_to_wait = true;
    if (thread.pending.spinning) ++spinning_count;
  }
  for (std::uint32_t i = 0; i < live_count; ++i) {
    VirtualThread& thread = *live[i];
    const bool by_choice = !thread.enabled && (can_time_out(thread) || (really != 0 && can_wake_spuriously(thread)));
    if (!thread.enabled && !by_choice) continue;
    thread.ready_at = ready_count;
    views[ready_count] = view(thread);
    ready[ready_count++] = &thread;
  }
  ready_stale = false;
  listed_at = kNotListed;
}

// The list is right, but for what the running thread is about to do: the others stand still.
void refresh_ready() {
  const std::uint32_t at = g.current->ready_at;
  if (ready_stale || spinning_count != 0 || at >= ready_count || ready[at] != g.current) {
    rebuild_ready();
  } else {
    views[at] = view(*g.current);
  }
}

bool is_excluded(OpKind kind) {
  return (plan().excluded_classes >> static_cast<unsigned>(op_class(kind)) & 1) != 0;
}

// Operations that are no points by --points-exclude are executed as soon as they can be, before anything is decided.
VirtualThread* next_undecided() {
  if (plan().excluded_classes == 0) return nullptr;
  for (std::uint32_t i = 0; i < ready_count; ++i) {
    if (ready[i]->enabled && is_excluded(ready[i]->pending.kind)) return ready[i];
  }
  return nullptr;
}

// Plans by step have an entry for it.
void pass_if_step(const VirtualThread& thread) {
  if (takes_steps() && !thread.pending.silent && !is_excluded(thread.pending.kind)) pass_step(thread.index);
}

// Fair time: nobody can run, so the earliest deadline is reached. False: there is none.
bool advance_time() {
  const std::uint64_t timer = g_next_timer;
  VirtualThread* first = nullptr;
  for (std::uint32_t i = 0; i < live_count; ++i) {
    VirtualThread& thread = *live[i];
    if (thread.pending.deadline == kNever) continue;
    if (first == nullptr || thread.pending.deadline < first->pending.deadline) first = &thread;
  }
  if (timer != kNever && (first == nullptr || timer <= first->pending.deadline)) {
    advance_clock_to(timer);
    fire_timers();
    return true;
  }
  if (first == nullptr) return false;
  advance_clock_to(first->pending.deadline);
  first->wake = WakeReason::kTimeout;
  first->pending.deadline = kNever;
  make_stale();
  ++g.advances;
  return true;
}

// Only spinning threads are left: let them re-read in turn until the step limit ends it.
VirtualThread* next_spinner() {
  VirtualThread* first = nullptr;
  VirtualThread* after_current = nullptr;
  for (std::uint32_t i = 0; i < live_count; ++i) {
    VirtualThread& thread = *live[i];
    if (!thread.pending.spinning) continue;
    if (first == nullptr) first = &thread;
    if (after_current == nullptr && thread.index > g.current->index) after_current = &thread;
  }
  return after_current != nullptr ? after_current : first;
}

VirtualThread* decide(bool yields) {
  const std::uint32_t at = g.current->ready_at;
  const int current = at < ready_count && ready[at] == g.current ? static_cast<int>(at) : -1;
  if (current >= 0 && ++g_quick.in_a_row > kFairPoints) {
    yields = true;
    g_quick.in_a_row = 0;
  }
  std::uint32_t planned = 0;
  std::size_t pick = ready_count;
  if (next_planned_choice(planned)) {
    for (std::uint32_t i = 0; i < ready_count; ++i) {
      if (ready[i]->index == planned) pick = i;
    }
    if (pick == ready_count) diverged(planned);  // returns only when the policy may take over
    if (takes_steps() && pick < ready_count && ready[pick]->pending.silent) put_back_choice();
  }
  if (pick == ready_count) pick = policy->pick({{views, ready_count}, current, yields});
  if (pick >= ready_count) fatal("policy picked a thread that is not ready", pick);
  const bool goes_on = current >= 0 && !yields;  // who gives way is not preempted
  if (listed_at == kNotListed) listed_at = log_enabled(ready, ready_count);
  log_choice(ready[pick]->index, ready_count, goes_on ? g.current->index : kNoThread, listed_at);
  if (goes_on && ready[pick] != g.current) ++g.block->result.preemptions;
  return ready[pick];
}

// Marks why a thread that is not enabled by itself may go on all the same.
void wake_by_choice(VirtualThread& thread) {
  if (thread.enabled) return;
  if (can_time_out(thread)) {
    thread.wake = WakeReason::kTimeout;
    advance_clock_to(thread.pending.deadline);
    g.block->result.timeout_fired = 1;
  } else {
    thread.wake = WakeReason::kSpurious;
    note_fault(kFaultSpuriousWakeup, thread.index, thread.pending.location, thread.calls.context());
  }
  thread.pending.deadline = kNever;
}

void stop_spinning(VirtualThread& thread) {
  thread.pending.spinning = false;
  thread.pending.enabled = nullptr;
  make_stale();
}

// Something that is to be found out on the stack of a thread that waits.
struct Question {
  VirtualThread* asker = nullptr;
  VirtualThread* asked = nullptr;
  std::uintptr_t (*find)() = nullptr;
  std::uintptr_t answer = 0;
};
Question question;

__attribute__((noinline)) void answer_question() {
  while (question.asker != nullptr) {
    question.answer = question.find();
    VirtualThread& self = *question.asked;
    const VirtualThread& asker = *question.asker;
    ravel_switch(&self.sp, asker.sp, asker.fs_base, use_wrfsbase ? 1 : 0);
  }
}

inline void switch_to(VirtualThread& next) {
  if (&next == g.current) return;
  ++g.block->result.switches;
  g_quick.in_a_row = 0;
  g_same_thread_events = 0;
  g_quick.mode = QuickPoint::Mode::kNone;
  VirtualThread* from = g.current;
  if (g_filter.wrote) from->spin.progress();
  g_filter.wrote = false;
  g.current = &next;
  if (from->signal_mask != next.signal_mask) apply_signal_mask(next);
  resume_stretch(next);
  if (g.direct) show_threads_to_debugger(next);
  ravel_switch(&from->sp, next.sp, next.fs_base, use_wrfsbase ? 1 : 0);
  if (__builtin_expect(question.asker != nullptr, 0)) answer_question();
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

void schedule(bool yields) {
  // A handler that blocks is left after all: the signal stays blocked meanwhile, as it would.
  const std::uint32_t in_handler = std::exchange(g.in_handler, 0);
  for (;;) {
    if (g_next_timer <= virtual_now()) fire_timers();
    refresh_ready();
    VirtualThread* next = nullptr;
    if (ready_count == 1) {
      next = ready[0];
      pass_if_step(*next);
    } else if ((next = next_undecided()) != nullptr) {
      // no decision
    } else if (ready_count != 0) {
      let_run(*decide(yields));
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

void point_with_mail();

}  // namespace

std::uintptr_t ask_thread(VirtualThread& asked, std::uintptr_t (*find)()) {
  question = {g.current, &asked, find, 0};
  ravel_switch(&g.current->sp, asked.sp, asked.fs_base, use_wrfsbase ? 1 : 0);
  question.asker = nullptr;
  return question.answer;
}

void begin_schedule() {
  use_wrfsbase = has_fsgsbase();
  policy = &policy_for(plan().policy.kind);
  policy->begin(plan().policy);
  policy_watches = policy->watches();
  policy_goes_on = policy->goes_on();
  constexpr unsigned kAccesses =
      1u << static_cast<unsigned>(OpClass::kPlain) | 1u << static_cast<unsigned>(OpClass::kAtomic);
  accesses_decide = (plan().excluded_classes & kAccesses) == 0 && (plan().faults & kFaultWeakCas) == 0;
  g_quick = {};
  listed_at = kNotListed;
  begin_schedule_log();
}

void changed() {
  make_stale();
}

void set_tail(bool tail) {
  g_tail = tail;
  g_filter.closely = how_closely();
  changed();
}

namespace {
// The running thread has passed a point: what will its next ones be, if all stays as it is?
void expect_quick_points(const VirtualThread& self) {
  const std::uint32_t at = self.ready_at;
  g_quick.mode = QuickPoint::Mode::kNone;
  if (ready_count != 1 && !policy_goes_on) return;
  if (ready_stale || policy_watches || g_following_plan || spinning_count != 0 || g_tail || !accesses_decide ||
      at >= ready_count || ready[at] != &self || self.mask_stale || self.cancel_requested || g.in_handler != 0 ||
      g_next_timer != kNever) {
    return;
  }
  if (ready_count == 1) {
    g_quick.mode = QuickPoint::Mode::kForced;
    return;
  }
  ExecutionResult& result = g.block->result;
  if (listed_at == kNotListed || next_undecided() != nullptr || result.segments == 0) return;
  Segment& last = g.block->schedule[result.segments - 1];
  if (last.thread != self.index || result.schedule_truncated != 0) return;
  g_quick.segment = &last;
  g_quick.options = ready_count;
  g_quick.enabled_at = listed_at;
  g_quick.mode = QuickPoint::Mode::kGoesOn;
}
}  // namespace

void point_here() {
  VirtualThread& self = *g.current;
  const Pending& pending = self.pending;
  self.wake = WakeReason::kNormal;
  self.had_to_wait = false;
  self.chosen = false;
  if (self.mask_stale) refresh_signal_mask(self);
  if (has_mail(self)) return point_with_mail();
  if (pending.enabled == nullptr) {
    // Alone, or nobody else can run: nothing to decide.
    if (g.live == 1 || g.in_handler != 0 || is_excluded(pending.kind)) return pass_if_step(self);
    const std::uint32_t at = self.ready_at;
    if (ready_stale || spinning_count != 0 || at >= ready_count || ready[at] != &self || plan().excluded_classes != 0 ||
        g_next_timer <= virtual_now()) {
      schedule(pending.kind == OpKind::kYield);
    } else if (ready_count == 1) {
      pass_if_step(self);
    } else {
      // As a rule nothing has changed but what this thread is about to do.
      views[at] = view(self);
      let_run(*decide(pending.kind == OpKind::kYield));
    }
    if (has_mail(self)) return point_with_mail();
  } else {
    make_stale();
    if ((is_excluded(pending.kind) || g.in_handler != 0) && is_enabled(self)) return pass_if_step(self);
    schedule(false);
    if (self.pending.enabled != nullptr) make_stale();
    if (has_mail(self)) return point_with_mail();
  }
  if (policy_watches) policy->executed(view(self));
  expect_quick_points(self);
}

void point(const Pending& pending) {
  g.current->pending = pending;
  point_here();
  // Others have run meanwhile.
  if (pending.address != 0) check_alive(pending.address, pending.kind, pending.size, pending.location);
}

namespace {
// The wait ends for another reason than the one it was for; it may still have to get a lock back.
void wait_interrupted() {
  VirtualThread& self = *g.current;
  self.wake = WakeReason::kInterrupted;
  while (!self.pending.enabled(self)) {
    make_stale();
    schedule(false);
  }
  make_stale();
}

// A signal or a cancellation has reached the thread before its operation: handlers run first, with points of their own.
void point_with_mail() {
  VirtualThread& self = *g.current;
  const Pending pending = self.pending;  // handlers have pending operations of their own
  if (has_signal(self)) {
    const void* const waits_for = self.waits_for;
    const std::uint64_t ticket = self.ticket;
    const std::uint32_t futex_bits = self.futex_bits;
    const std::uint32_t barrier_round = self.barrier_round;
    const bool signalled = self.signalled;
    const bool restarts = run_handlers();
    self.waits_for = waits_for;
    self.ticket = ticket;
    self.futex_bits = futex_bits;
    self.barrier_round = barrier_round;
    self.signalled = signalled;
    self.pending = pending;
    self.wake = WakeReason::kNormal;
    make_stale();
    const bool interrupts =
        pending.interruption == Interruption::kAlways || (pending.interruption == Interruption::kRestart && !restarts);
    if (interrupts && !pending.enabled(self)) {
      wait_interrupted();
      return;
    }
  }
  if (is_cancelled(self)) {
    if (pending.enabled != nullptr && pending.cancellable) {
      wait_interrupted();  // the operation takes itself back, then acts on it
      return;
    }
    act_on_cancellation();
  }
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

namespace {
std::uint32_t take_alternative(std::uint32_t n, std::uint32_t (*unplanned)(std::uint32_t)) {
  std::uint32_t planned = 0;
  std::uint32_t taken = n;
  if (next_planned_choice(planned)) {
    taken = planned & ~kDataChoice;
    if ((planned & kDataChoice) == 0 || taken >= n) {
      diverged(planned);
      taken = n;
    }
  }
  if (taken == n) taken = unplanned(n);
  log_choice(kDataChoice | taken, n, kNoThread, kNotListed);
  g_quick.mode = QuickPoint::Mode::kNone;  // the thread's next choices are a segment of their own
  ++g.block->result.data_choices;
  return taken;
}
}  // namespace

std::uint32_t choose(std::uint32_t n) {
  return n < 2 ? 0 : take_alternative(n, random_alternative);
}

std::uint32_t choose_fault() {
  return take_alternative(2, [](std::uint32_t) { return fault_is_due() ? 1u : 0u; });
}

void add_thread(VirtualThread& thread) {
  if (live_count == kFew && live == few.live) {
    for (std::uint32_t i = 0; i < live_count; ++i) many_live[i] = few.live[i];
    live = many_live;
    ready = many_ready;
    views = many_views;
  }
  live[live_count++] = &thread;
  ++g.live;
  if (g.live > g.block->result.max_live) g.block->result.max_live = g.live;
  make_stale();
}

void remove_thread(VirtualThread& thread) {
  std::uint32_t at = 0;
  while (at < live_count && live[at] != &thread) ++at;
  if (at == live_count) fatal("an unknown thread ended", thread.index);
  for (; at + 1 < live_count; ++at) live[at] = live[at + 1];
  --live_count;
  --g.live;
  make_stale();
}

std::uint32_t live_threads(VirtualThread* const*& list) {
  list = live;
  return live_count;
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
  rebuild_ready();
  if (ready_count < 2) return;
  schedule(true);
}

}  // namespace ravel::rt
