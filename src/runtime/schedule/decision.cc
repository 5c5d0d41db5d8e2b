// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/schedule/decision.h"

#include "base/invariant.h"
#include "runtime/schedule/clock.h"
#include "runtime/schedule/enabled.h"
#include "runtime/schedule/faults.h"

namespace ravel::rt {

namespace {
constexpr ReadySet& ready = g_scheduler.ready;
constexpr QuickPoint& quick = g_scheduler.quick;
constexpr PolicySeat& seat = g_scheduler.seat;

bool left_out_now = false;  // the thread that runs gives way
bool may_have_turn(ThreadIndex thread) {
  if (left_out_now && g.current->index == thread) return false;
  for (std::uint32_t i = 0; i < ready.count(); ++i) {
    if (ready[i].index == thread) return true;
  }
  return false;
}

// ready.count(): nobody's turn.
std::size_t pick_by_turn(int current, bool yields) {
  left_out_now = yields && current >= 0;  // else one that spins would never let go
  const ThreadIndex wish = thread_in_turn(may_have_turn);
  for (std::uint32_t i = 0; i < ready.count(); ++i) {
    if (ready[i].index == wish) return i;
  }
  return ready.count();
}
}  // namespace

VirtualThread& decide(bool yields) {
  const int current = ready.lists(*g.current) ? static_cast<int>(g.current->ready_at) : -1;
  if (current >= 0 && ++quick.in_a_row > kFairPoints) {
    yields = true;
    quick.in_a_row = 0;
  }
  std::uint32_t planned = 0;
  const std::uint32_t count = ready.count();
  std::size_t pick = count;
  if (follows_turns()) {
    pick = pick_by_turn(current, yields);
  } else if (next_planned_choice(planned)) {
    for (std::uint32_t i = 0; i < count; ++i) {
      if (ready[i].index == planned) pick = i;
    }
    if (pick == count) diverged(planned);  // returns only when the policy may take over
    if (takes_steps() && pick < count && ready[static_cast<std::uint32_t>(pick)].pending.silent) put_back_choice();
  }
  if (pick == count) pick = seat.policy->pick({ready.operations(), current, yields});
  INVARIANT(pick < count, "a policy picks one of the threads that are ready");
  const bool goes_on = current >= 0 && !yields;  // who gives way is not preempted
  VirtualThread& next = ready[static_cast<std::uint32_t>(pick)];
  log_choice(next.index, count, goes_on ? g.current->index : kNoThread, ready.log());
  if (goes_on && &next != g.current) ++g.block->result.preemptions;
  return next;
}

VirtualThread* find_excluded() {
  for (std::uint32_t i = 0; i < ready.count(); ++i) {
    if (ready[i].enabled && is_excluded(ready[i].pending.kind)) return &ready[i];
  }
  return nullptr;
}

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

}  // namespace ravel::rt
