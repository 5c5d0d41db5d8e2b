// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/schedule/guide.h"

#include "runtime/schedule/ready_set.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/schedule/scheduler_state.h"
#include "wire/facts_table.h"

namespace ravel::rt {

std::uint32_t calls_of(ThreadIndex index, LocationId* out, std::uint32_t room) {
  VirtualThread* thread = g.current->index == index ? g.current : live_thread(index);
  if (thread == nullptr) return 0;
  ContextId node = thread->calls.context();
  const ContextId root = thread->calls.root();
  std::uint32_t count = 0;
  while (node != root && node != 0 && node < kMaxContexts && count < room) {
    out[count++] = g.block->contexts[node].call;
    node = g.block->contexts[node].parent;
  }
  return count;
}

GuideSeat guide_seat() {
  SharedBlock& block = *g.block;
  GuideSeat seat;
  seat.guide = facts_in(reinterpret_cast<const FactsTableHeader*>(block.campaign.facts)).guide;
  seat.progress = &block.result.guide;
  seat.log = block.ranked;
  seat.visited = &block.visited;
  seat.decisions = &block.result.decisions;
  seat.seen = &block.seen;
  seat.calls = calls_of;
  return seat;
}

void show_blocked(Policy& policy) {
  for (VirtualThread* const thread : g_scheduler.ready.live()) {
    if (!thread->enabled && thread->pending.enabled != nullptr && !thread->pending.spinning) {
      policy.blocked(view_of(*thread));
    }
  }
}

}  // namespace ravel::rt
