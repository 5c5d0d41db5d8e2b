// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What a campaign that works on a given plan is about, and what it hands back. Plain data, kept in shared memory
// (wire/).
#pragma once

#include <cstdint>

namespace ravel {

// The defect that is meant. Both keys 0: how the plan's execution ends.
struct DefectTarget {
  std::uint64_t race = 0;           // key of a data race
  std::uint64_t detection = 0;      // key of what a detector found
  std::uint64_t polish = 1u << 12;  // executions spent on fewer switches once no fewer preemptions are possible
};

// Two events of the plan's execution by their numbers. Behind the last event are the operations that threads were about
// to do when it ended, in the order of TraceView::pending, and behind those the use of freed memory that ended it.
struct EventPair {
  std::uint32_t first = 0;
  std::uint32_t second = 0;

  friend bool operator==(const EventPair&, const EventPair&) = default;
};

}  // namespace ravel
