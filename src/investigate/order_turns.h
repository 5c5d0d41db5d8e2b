// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The events of an execution in another order, as turns of its threads (model/turn_prefix.h): each thread's own order
// stays, what is to come first does, and otherwise all come as they came.
#pragma once

#include <cstddef>
#include <vector>

#include "model/event.h"
#include "model/plan.h"

namespace ravel {

struct EventEdge {
  std::size_t first = 0;  // index of the event that is to come before
  std::size_t second = 0;
};

// Edges that form a circle with those of a thread, or with each other, are left out where they close it.
std::vector<Segment> turns_for(const std::vector<Event>& events, const std::vector<EventEdge>& edges);

}  // namespace ravel
