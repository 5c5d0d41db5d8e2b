// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/schedule/goals.h"

#include "runtime/schedule/guide.h"
#include "runtime/schedule/ready_set.h"
#include "runtime/schedule/schedule_log.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/schedule/scheduler_state.h"
#include "wire/facts_table.h"

namespace ravel::rt {

namespace {
LastingName name_of(ThreadIndex thread) {
  return thread_name_in({g.block->threads, g.block->result.threads}, thread);
}

ContextId context_of(ThreadIndex index) {
  VirtualThread* thread = g.current->index == index ? g.current : live_thread(index);
  return thread == nullptr ? ContextId{0} : thread->calls.context();
}

Standing pending_of(LastingName name, OperationView& pending) {
  for (VirtualThread* const thread : g_scheduler.ready.live()) {
    if (name_of(thread->index) != name) continue;
    pending = view_of(*thread);
    return thread->enabled ? Standing::kReady : Standing::kWaits;
  }
  return Standing::kNotThere;
}
}  // namespace

GoalSeat goal_seat() {
  SharedBlock& block = *g.block;
  GoalSeat seat;
  seat.goals = block.goals;
  seat.rules = block.plan.goals;
  seat.excluded = block.plan.excluded_classes;
  seat.report = &block.result.goals;
  if (seat.rules.reach != 0) {
    seat.reach = facts_in(reinterpret_cast<const FactsTableHeader*>(block.campaign.facts)).reach;
  }
  seat.planned_left = planned_choices_left;
  seat.name_of = name_of;
  seat.context_of = context_of;
  seat.calls = calls_of;
  seat.pending_of = pending_of;
  return seat;
}

}  // namespace ravel::rt
