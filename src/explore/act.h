// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Act: one executed operation under names that last from one execution to the next: threads by lineage (interned),
// places by what the object is, not by when it was first touched. Sleep sets and wake-up trees keep acts of earlier
// executions and compare them with those of the present one.
#pragma once

#include <cstdint>

#include "semantics/dependence.h"

namespace ravel {

inline constexpr std::uint32_t kNoChoice = 0xffffffffu;

struct Act {
  OperationView op;                  // without kChosen and kHadToWait
  std::uint32_t choice = kNoChoice;  // alternative taken, where the operation had two or more
  std::uint64_t object = 0;          // that the place is in: a heap block, or four bytes of anything else
  bool ends = false;                 // the program ended in this step: it takes away everyone's turn
};

// The table of semantics/dependence.h. A variable so that the tests can take rows away and see the search fail.
using DependenceRule = bool (*)(const OperationView& a, const OperationView& b);
extern DependenceRule dependence_rule;

// Any two accesses of one object, be they reads or of different members.
inline bool object_conflict(const Act& a, const Act& b) {
  if (a.ends || b.ends || a.op.thread == b.op.thread) return true;
  if (is_memory_access(a.op.kind) && is_memory_access(b.op.kind)) return a.object == b.object;
  return dependence_rule(a.op, b.op);
}

inline bool conflict(const Act& a, const Act& b) {
  return a.ends || b.ends || a.op.thread == b.op.thread || dependence_rule(a.op, b.op);
}

}  // namespace ravel
