// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/schedule/enabled.h"

#include "runtime/schedule/faults.h"
#include "runtime/schedule/mail.h"
#include "runtime/state/state.h"

namespace ravel::rt {

namespace {
// Predicates look at `wake`: would the thread be enabled if its wait ended for that reason?
bool enabled_by(VirtualThread& thread, WakeReason reason) {
  const WakeReason before = thread.wake;
  thread.wake = reason;
  const bool result = thread.pending.enabled == nullptr || thread.pending.enabled(thread);
  thread.wake = before;
  return result;
}
}  // namespace

bool is_enabled(VirtualThread& thread) {
  if (thread.pending.enabled == nullptr || thread.pending.enabled(thread) || has_signal(thread)) return true;
  return is_cancelled(thread) && enabled_by(thread, WakeReason::kInterrupted);
}

bool can_time_out(VirtualThread& thread) {
  return thread.pending.deadline != kNever && g.block->plan.timeouts == TimeoutMode::kAdversarial &&
         enabled_by(thread, WakeReason::kTimeout);
}

bool can_wake_spuriously(VirtualThread& thread) {
  return thread.pending.may_wake_spuriously && (g.block->plan.faults & kFaultSpuriousWakeup) != 0 && faults_left() &&
         enabled_by(thread, WakeReason::kSpurious);
}

}  // namespace ravel::rt
