// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/schedule/idle.h"

#include "runtime/schedule/clock.h"
#include "runtime/schedule/scheduler_state.h"
#include "runtime/schedule/upcalls.h"

namespace ravel::rt {

bool advance_time() {
  const std::uint64_t timer = g_next_timer;
  VirtualThread* first = nullptr;
  for (VirtualThread* const thread : g_scheduler.ready.live()) {
    if (thread->pending.deadline == kNever) continue;
    if (first == nullptr || thread->pending.deadline < first->pending.deadline) first = thread;
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
  g_scheduler.make_stale();
  ++g.advances;
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
