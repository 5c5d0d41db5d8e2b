// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/schedule/decision.h"

#include <utility>

#include "base/invariant.h"
#include "base/large_table.h"
#include "runtime/record/end_of_execution.h"
#include "runtime/schedule/clock.h"
#include "runtime/schedule/enabled.h"
#include "runtime/schedule/faults.h"
#include "runtime/schedule/gate.h"
#include "runtime/schedule/passing_time.h"

namespace ravel::rt {

namespace {
class AdmittedSet;
constexpr ReadySet& ready = g_scheduler.ready;
constexpr QuickPoint& quick = g_scheduler.quick;
constexpr PolicySeat& seat = g_scheduler.seat;

bool left_out_now = false;  // the thread that runs gives way
const AdmittedSet* admitted_now = nullptr;

// Those that are ready and admitted: a part of the ready set, with the same questions.
class AdmittedSet {
 public:
  AdmittedSet() {
    for (std::uint32_t i = 0; i < ready.count(); ++i) {
      if (!gate_admits(ready[i])) continue;
      list_[count_] = &ready[i];
      views_[count_] = ready.operations()[i];
      ++count_;
    }
  }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] VirtualThread& operator[](std::uint32_t at) const { return *list_[at]; }
  [[nodiscard]] std::span<const OperationView> operations() const { return {views_, count_}; }
  [[nodiscard]] int position_of(const VirtualThread& thread) const {
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (list_[i] == &thread) return static_cast<int>(i);
    }
    return -1;
  }
  [[nodiscard]] std::uint32_t log() const { return log_enabled(list_, count_); }

 private:
  static VirtualThread* list_[kMaxLive];
  static OperationView views_[kMaxLive];
  std::uint32_t count_ = 0;
};
RAVEL_LARGE_TABLE VirtualThread* AdmittedSet::list_[kMaxLive];
RAVEL_LARGE_TABLE OperationView AdmittedSet::views_[kMaxLive];

template <class Set>
bool has(const Set& set, ThreadIndex thread) {
  for (std::uint32_t i = 0; i < set.count(); ++i) {
    if (set[i].index == thread) return true;
  }
  return false;
}
bool may_have_turn(ThreadIndex thread) {
  if (left_out_now && g.current->index == thread) return false;
  return admitted_now != nullptr ? has(*admitted_now, thread) : has(ready, thread);
}

// set.count(): nobody's turn.
template <class Set>
std::size_t pick_by_turn(const Set& set, int current, bool yields) {
  left_out_now = yields && current >= 0;  // else one that spins would never let go
  const ThreadIndex wish = thread_in_turn(may_have_turn);
  for (std::uint32_t i = 0; i < set.count(); ++i) {
    if (set[i].index == wish) return i;
  }
  return set.count();
}

template <class Set>
VirtualThread& decide_among(Set& set, int current, bool yields) {
  if (current >= 0 && ++quick.in_a_row > kFairPoints) {
    yields = true;
    quick.in_a_row = 0;
  }
  std::uint32_t planned = 0;
  const std::uint32_t count = set.count();
  std::size_t pick = count;
  if (follows_turns()) {
    pick = pick_by_turn(set, current, yields);
  } else if (next_planned_choice(planned)) {
    for (std::uint32_t i = 0; i < count; ++i) {
      if (set[i].index == planned) pick = i;
    }
    if (pick == count) diverged(planned);  // returns only when the policy may take over
    if (takes_steps() && pick < count && set[static_cast<std::uint32_t>(pick)].pending.silent) put_back_choice();
  }
  if (quick.drawn != QuickPoint::kNobody) {
    INVARIANT(pick == count && quick.drawn < count, "a draw is used at the point it was made for");
    pick = std::exchange(quick.drawn, QuickPoint::kNobody);
  }
  if (pick == count) pick = seat.policy->pick({set.operations(), current, yields});
  if (__builtin_expect(static_cast<long>(pick == Policy::kGiveUp), 0)) finish_abandoned();
  INVARIANT(pick < count, "a policy picks one of the threads that are ready");
  const bool goes_on = current >= 0 && !yields;  // who gives way is not preempted
  VirtualThread& next = set[static_cast<std::uint32_t>(pick)];
  log_choice(next.index, count, goes_on ? g.current->index : kNoThread, set.log());
  if (goes_on && &next != g.current) ++g.block->result.preemptions;
  return next;
}
}  // namespace

// Drawn only where the long way would decide at once, among the same threads: nothing has reached the thread, and no
// time has passed.
bool draw_running(const VirtualThread& self) {
  if (!ready.is_right_for(self) || self.mask_stale || self.cancel_requested || g_next_timer != kNever ||
      time_passes()) {
    return false;
  }
  const std::size_t pick = seat.policy->pick({ready.operations(), static_cast<int>(self.ready_at), false});
  if (pick == self.ready_at) return true;
  quick.drawn = static_cast<std::uint32_t>(pick);
  return false;
}

VirtualThread& decide(bool yields) {
  return decide_among(ready, ready.lists(*g.current) ? static_cast<int>(g.current->ready_at) : -1, yields);
}

Admitted decide_at_gate(bool yields) {
  if (gate_is_shut()) return {};
  AdmittedSet set;
  if (set.count() == 0) return {};
  if (ready.count() == 1) return {&set[0], false};
  for (std::uint32_t i = 0; i < set.count(); ++i) {
    if (set[i].enabled && is_excluded(set[i].pending.kind)) return {&set[i], false};
  }
  admitted_now = &set;
  VirtualThread& next = decide_among(set, set.position_of(*g.current), yields);
  admitted_now = nullptr;
  return {&next, true};
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
    thread.timed_out_at = g.advances;
    advance_clock_to(thread.pending.deadline);
    g.block->result.timeout_fired = 1;
  } else {
    thread.wake = WakeReason::kSpurious;
    note_fault(kFaultSpuriousWakeup, thread.index, thread.pending.location, thread.calls.context());
  }
  thread.pending.deadline = kNever;
}

}  // namespace ravel::rt
