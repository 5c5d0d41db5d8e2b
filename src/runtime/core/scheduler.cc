// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/core/scheduler.h"

#include <utility>

#include "runtime/core/clock.h"
#include "runtime/core/debugger.h"
#include "runtime/core/finish.h"
#include "runtime/core/raw.h"
#include "runtime/core/recorder.h"
#include "runtime/core/schedule_log.h"
#include "runtime/fiber/context_switch.h"
#include "runtime/policy/policy.h"

namespace ravel::rt {

namespace {

// A thread that keeps running for so long while others could is set back once: an unfair schedule would make a
// program that waits in a loop look like a livelock.
constexpr std::uint32_t kFairPoints = 1'000;
constexpr std::uint32_t kFairEvents = 10'000;

VirtualThread* live[kMaxLive];
std::uint32_t live_count = 0;
VirtualThread* ready[kMaxLive];
std::uint32_t ready_count = 0;
bool ready_stale = true;
std::uint32_t spinning_count = 0;  // threads waiting for a value to change: their predicates watch plain memory

OperationView views[kMaxLive];
Policy* policy = nullptr;
std::uint32_t same_thread_points = 0;
std::uint32_t same_thread_events = 0;
bool use_wrfsbase = true;

const PlanSpec& plan() {
  return g.block->plan;
}

bool faults_left() {
  return g.block->result.faults < plan().max_faults;
}

bool is_enabled(const VirtualThread& thread) {
  return thread.pending.enabled == nullptr || thread.pending.enabled(thread);
}

// Predicates look at `wake`: would the thread be enabled if its wait ended for that reason?
bool enabled_by(VirtualThread& thread, WakeReason reason) {
  const WakeReason before = thread.wake;
  thread.wake = reason;
  const bool result = is_enabled(thread);
  thread.wake = before;
  return result;
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
    if (thread.enabled || by_choice) ready[ready_count++] = &thread;
  }
  ready_stale = false;
}

OperationView view(const VirtualThread& thread) {
  const Pending& p = thread.pending;
  return {p.kind, p.bits, p.size, thread.index, p.address, p.value, p.location};
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
  VirtualThread* first = nullptr;
  for (std::uint32_t i = 0; i < live_count; ++i) {
    VirtualThread& thread = *live[i];
    if (thread.pending.deadline == kNever) continue;
    if (first == nullptr || thread.pending.deadline < first->pending.deadline) first = &thread;
  }
  if (first == nullptr) return false;
  advance_clock_to(first->pending.deadline);
  first->wake = WakeReason::kTimeout;
  first->pending.deadline = kNever;
  ready_stale = true;
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
  int current = -1;
  for (std::uint32_t i = 0; i < ready_count; ++i) {
    if (ready[i] == g.current) current = static_cast<int>(i);
    views[i] = view(*ready[i]);
  }
  if (current >= 0 && ++same_thread_points > kFairPoints) {
    yields = true;
    same_thread_points = 0;
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
  log_choice(ready[pick]->index, ready_count, current >= 0 ? g.current->index : kNoThread,
             log_enabled(ready, ready_count));
  if (current >= 0 && ready[pick] != g.current) ++g.block->result.preemptions;
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
    ++g.block->result.faults;
  }
  thread.pending.deadline = kNever;
}

void switch_to(VirtualThread& next) {
  if (&next == g.current) return;
  ++g.block->result.switches;
  same_thread_points = 0;
  same_thread_events = 0;
  VirtualThread* from = g.current;
  g.current = &next;
  if (g.direct) show_threads_to_debugger(next);
  ravel_switch(&from->sp, next.sp, next.fs_base, use_wrfsbase ? 1 : 0);
}

void schedule(bool yields) {
  // A handler that blocks is left after all: the signal stays blocked meanwhile, as it would.
  const std::uint32_t in_handler = std::exchange(g.in_handler, 0);
  for (;;) {
    if (ready_stale || spinning_count != 0) rebuild_ready();
    VirtualThread* next = nullptr;
    if (ready_count == 1) {
      next = ready[0];
      pass_if_step(*next);
    } else if ((next = next_undecided()) != nullptr) {
      // no decision
    } else if (ready_count != 0) {
      next = decide(yields);
      ready_stale = ready_stale || !next->enabled;
      wake_by_choice(*next);
      next->chosen = true;
    } else if (advance_time()) {
      continue;
    } else {
      next = next_spinner();
      if (next == nullptr) finish_deadlock();
    }
    if (next->pending.spinning) {
      next->pending.spinning = false;
      next->pending.enabled = nullptr;
      ready_stale = true;
    }
    switch_to(*next);
    g.in_handler = in_handler;
    return;
  }
}

}  // namespace

void begin_schedule() {
  use_wrfsbase = has_fsgsbase();
  policy = &policy_for(plan().policy.kind);
  policy->begin(plan().policy);
  begin_schedule_log();
}

void changed() {
  ready_stale = true;
}

void point(const Pending& pending) {
  VirtualThread& self = *g.current;
  self.pending = pending;
  self.wake = WakeReason::kNormal;
  self.had_to_wait = false;
  self.chosen = false;
  if (pending.enabled == nullptr && (g.live == 1 || g.in_handler != 0)) {  // alone: nothing to decide
    pass_if_step(self);
    return;
  }
  if (pending.enabled != nullptr) ready_stale = true;
  if ((is_excluded(pending.kind) || g.in_handler != 0) && is_enabled(self)) {
    pass_if_step(self);
    return;
  }
  schedule(pending.kind == OpKind::kYield);
  if (self.pending.enabled != nullptr) ready_stale = true;
  policy->executed(view(self));
}

void wait_spinning(const Pending& pending) {
  VirtualThread& self = *g.current;
  self.pending = pending;
  self.wake = WakeReason::kNormal;
  ready_stale = true;
  schedule(true);
}

std::uint32_t choose(std::uint32_t n) {
  if (n < 2) return 0;
  std::uint32_t planned = 0;
  std::uint32_t taken = n;
  if (next_planned_choice(planned)) {
    taken = planned & ~kDataChoice;
    if ((planned & kDataChoice) == 0 || taken >= n) {
      diverged(planned);
      taken = n;
    }
  }
  if (taken == n) taken = random_alternative(n);
  log_choice(kDataChoice | taken, n, kNoThread, kNotListed);
  ++g.block->result.data_choices;
  return taken;
}

void add_thread(VirtualThread& thread) {
  live[live_count++] = &thread;
  ++g.live;
  if (g.live > g.block->result.max_live) g.block->result.max_live = g.live;
  ready_stale = true;
}

void remove_thread(VirtualThread& thread) {
  std::uint32_t at = 0;
  while (at < live_count && live[at] != &thread) ++at;
  if (at == live_count) fatal("an unknown thread ended", thread.index);
  for (; at + 1 < live_count; ++at) live[at] = live[at + 1];
  --live_count;
  --g.live;
  ready_stale = true;
}

std::uint32_t live_threads(VirtualThread* const*& list) {
  list = live;
  return live_count;
}

void leave_for_ever() {
  schedule(false);
  fatal("a thread that has ended was resumed");
}

void count_unscheduled_event() {
  if (++same_thread_events < kFairEvents || g.in_handler != 0) return;
  same_thread_events = 0;
  if (ready_stale || spinning_count != 0) rebuild_ready();
  if (ready_count < 2) return;
  Pending pending;
  pending.kind = OpKind::kYield;
  pending.silent = true;
  g.current->pending = pending;
  schedule(true);
}

}  // namespace ravel::rt
