// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/schedule/guide.h"

#include "base/hash.h"
#include "runtime/memory/heap.h"
#include "runtime/schedule/ready_set.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/schedule/scheduler_state.h"
#include "runtime/state/locations.h"
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

namespace {
// Of a thread that has not run. The C++ library starts every thread with one routine and an object of its own, which
// holds what the thread runs and copies of the arguments: equal bytes are equal threads. Any other argument counts as
// the pointer that it is.
std::uint64_t started_with(ThreadIndex index) {
  const VirtualThread* thread = live_thread(index);
  if (thread == nullptr || thread->start == nullptr) return 0;
  const auto routine = reinterpret_cast<std::uintptr_t>(thread->start);
  const auto argument = reinterpret_cast<std::uintptr_t>(thread->argument);
  std::uint64_t hash = hash_combine(routine, argument);
  BlockInfo block;
  if (!is_user_code(routine) && find_block(argument, block) && block.live && block.base == argument) {
    hash = hash_combine(routine, block.size);
    const auto* bytes = reinterpret_cast<const unsigned char*>(argument);
    for (std::size_t i = 0; i < block.size; ++i) hash = hash_combine(hash, bytes[i]);
  }
  return hash == 0 ? 1 : hash;
}
}  // namespace

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
  seat.started_with = started_with;
  seat.image = reinterpret_cast<const unsigned char*>(g_executable.base);
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
