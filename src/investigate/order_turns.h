// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The events of an execution in another order, as turns of its threads (model/turn_prefix.h): each thread's own order
// stays, given orders hold, and otherwise all come as they came. Locks, conditions and the life of threads are
// followed, so that the turns can be taken. An event that is to come behind one that the execution does not have is
// held back for ever, and so is all that waits for it: what is behind the last turn is for the next execution to show.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "model/event.h"
#include "model/plan.h"
#include "model/text/value_schedule.h"

namespace ravel {

// Indices of events; nothing: the execution does not have it.
struct WantedOrder {
  std::optional<std::size_t> first;
  std::optional<std::size_t> second;
  ValueRelation relation = ValueRelation::kBefore;
  ThreadIndex woken = kNoThread;   // kWakes: the thread of the second
  ThreadIndex opener = kNoThread;  // the thread of the first
};

struct OrderTurns {
  std::vector<Segment> turns;
  std::vector<std::uint32_t> alternatives;  // of data choices, in order
  std::size_t alternatives_before = 0;      // ... of the execution as it was
  // Threads that may go on behind the last turn: those whose next access an order waits for, others of which everything
  // that is known has come, those that wait for one of these. An order holds back who is not among them.
  std::vector<ThreadIndex> free;
};

OrderTurns turns_for(const std::vector<Event>& events, const std::vector<WantedOrder>& orders);

}  // namespace ravel
