// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The events of an execution that is over, for strategies that look at some executions and need not watch all of them.
#pragma once

#include <cstdint>

#include "explore/strategy.h"

namespace ravel {

// Calls visit(event, operand) for the last `most` events that are still there.
template <class Visit>
void scan_events(const TraceView& trace, std::uint64_t most, Visit&& visit) {
  if (trace.result == nullptr || trace.events.empty()) return;
  const std::uint64_t all = trace.result->events.load(std::memory_order_relaxed);
  std::uint64_t kept = all < trace.events.size() ? all : trace.events.size();
  if (kept > most) kept = most;
  for (std::uint64_t i = all - kept; i < all; ++i) {
    const Event& e = trace.events[i & (trace.events.size() - 1)];
    if (e.kind < OpKind::kCount) visit(e, trace.operand(i));
  }
}

}  // namespace ravel
