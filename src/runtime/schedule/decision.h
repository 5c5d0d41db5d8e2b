// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// One decision of the schedule: which of the threads that can run goes on.
#pragma once

#include "runtime/schedule/schedule_log.h"
#include "runtime/schedule/scheduler_state.h"

namespace ravel::rt {

// One of two or more: the plan says, else the policy picks. `yields`: the running thread gives way. Recorded.
VirtualThread& decide(bool yields);

// The same among those that the gate admits, of one or more that are ready. A decision is recorded where two or more
// are ready, admitted or not, so that the schedule means the same without the gate; its options are those that are
// admitted. nullptr: nobody is.
struct Admitted {
  VirtualThread* next = nullptr;
  bool decided = false;
};
Admitted decide_at_gate(bool yields);

// Operations that are no points by --points-exclude are executed as soon as they can be, before anything is decided.
// nullptr: there is none.
VirtualThread* find_excluded();
inline VirtualThread* next_undecided() {
  return plan().excluded_classes == 0 ? nullptr : find_excluded();
}

// `thread` goes on without a decision: plans by step have an entry for it.
inline void pass_if_step(const VirtualThread& thread) {
  if (takes_steps() && !thread.pending.silent && !is_excluded(thread.pending.kind)) pass_step(thread.index);
}

// Marks why a thread that is not enabled by itself may go on all the same.
void wake_by_choice(VirtualThread& thread);

}  // namespace ravel::rt
