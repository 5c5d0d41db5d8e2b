// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The arrows of happens-before between threads: from the event that hands something over (an unlock, a release store,
// the end of a thread) to the one that takes it up. Derived from causality/, not a second set of rules: an arrow is
// drawn where the clock of a thread learns of another thread, from the last event it learns of. Arrows that follow from
// others are left out.
#pragma once

#include <cstdint>
#include <vector>

#include "model/event.h"

namespace ravel {

struct OrderEdge {
  std::uint32_t from = 0;  // indices of events
  std::uint32_t to = 0;
  bool wakes = false;  // a signal and whom it woke: no order by itself
};

// An event that learns of more threads than this (a barrier of hundreds) shows the latest of them.
inline constexpr std::size_t kMaxEdgesOfEvent = 16;

struct OrderEdges {
  std::vector<OrderEdge> edges;  // by `to`
  bool exact = true;             // false: a table was full, later arrows are missing
};

OrderEdges order_edges(const std::vector<Event>& events);

}  // namespace ravel
