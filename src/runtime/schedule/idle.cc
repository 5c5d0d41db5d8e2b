// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/schedule/idle.h"

#include "runtime/schedule/clock.h"
#include "runtime/schedule/scheduler_state.h"
#include "runtime/schedule/upcalls.h"

namespace ravel::rt {

namespace {
// Deadlines that are closer than all looks at the clock together could be reached in another order, had the threads
// looked in another one. No dependence of operations says so: reductions have to know.
// Of equal deadlines the first thread's is over first. That is one order of two only for receivers: whose time is over
// still takes a message that somebody sends who wakes at the same moment.
bool receives(const VirtualThread& thread) {
  const OpKind kind = thread.pending.kind;
  return kind == OpKind::kTake || kind == OpKind::kAccept || kind == OpKind::kSelect;
}
void look_for_close_deadlines(const VirtualThread& first, std::uint64_t timer) {
  const std::uint64_t close = first.pending.deadline + time_of_looks();
  if (first.pending.deadline == kNever || g.block->result.close_kind != OpKind::kNone) return;
  const bool looked = time_of_looks() != 0;
  bool another = looked && timer <= close;
  for (const VirtualThread* const thread : g_scheduler.ready.live()) {
    const bool matters = looked || receives(first) || receives(*thread);
    another = another || (thread != &first && thread->pending.deadline <= close && matters);
  }
  if (!another) return;
  g.block->result.close_kind = first.pending.kind;
  g.block->result.close_wait = first.pending.location;
}
}  // namespace

bool advance_time() {
  const std::uint64_t timer = g_next_timer;
  VirtualThread* first = nullptr;
  for (VirtualThread* const thread : g_scheduler.ready.live()) {
    if (thread->pending.deadline == kNever) continue;
    if (first == nullptr || thread->pending.deadline < first->pending.deadline) first = thread;
  }
  if (first != nullptr) look_for_close_deadlines(*first, timer);
  if (timer != kNever && (first == nullptr || timer <= first->pending.deadline)) {
    advance_clock_to(timer);
    fire_timers();
    return true;
  }
  if (first == nullptr) return false;
  advance_clock_to(first->pending.deadline);
  first->wake = WakeReason::kTimeout;
  first->pending.deadline = kNever;
  g_scheduler.make_stale();
  first->timed_out_at = ++g.advances;
  return true;
}

VirtualThread* next_spinner() {
  VirtualThread* first = nullptr;
  VirtualThread* after_current = nullptr;
  for (VirtualThread* const thread : g_scheduler.ready.live()) {
    if (!thread->pending.spinning) continue;
    if (first == nullptr) first = thread;
    if (after_current == nullptr && thread->index > g.current->index) after_current = thread;
  }
  return after_current != nullptr ? after_current : first;
}

}  // namespace ravel::rt
