// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/values/rules.h"

namespace ravel::values {

std::uint32_t rules_off = 0;

bool has_to_wait(const Trigger& trigger) {
  const OpKind kind = trigger.step.act.op.kind;
  const bool tries = kind == OpKind::kMutexTryLock || kind == OpKind::kRwTryReadLock || kind == OpKind::kRwTryWriteLock;
  return enters(kind) && !tries && !trigger.timed_at_will;
}

bool may_be_unordered(OpKind a, OpKind b) {
  const auto reads = [](OpKind kind) { return is_memory_access(kind) && !has_write_effect(kind, 0); };
  const auto writes = [](OpKind kind) { return is_memory_access(kind) && has_write_effect(kind, 0); };
  // A compare-exchange that fails is a read.
  const auto may_read = [&](OpKind kind) { return reads(kind) || kind == OpKind::kAtomicCas; };
  if (may_read(a) && may_read(b)) return true;
  if (writes(a) || writes(b)) return family_of(a) != family_of(b);
  return true;
}

Ruling rule_for(const Trigger& trigger, const Target& target) {
  const OpKind of_trigger = trigger.step.act.op.kind;
  // One enables the other, and nothing else: no order to choose, but a thread that waits for the end of another.
  if (family_of(of_trigger) == OpFamily::kLifecycle || family_of(target.kind) == OpFamily::kLifecycle) {
    return {true, !trigger.enabled && target.kind == OpKind::kThreadEnd, false, OrderKind::kOther};
  }
  for (const auto rule : {rule_rw, rule_wn, rule_ww, rule_wm, rule_mm}) {
    if (const Ruling ruling = rule(trigger, target); ruling.applies) return ruling;
  }
  return {true, true, false, OrderKind::kOther};
}

}  // namespace ravel::values
