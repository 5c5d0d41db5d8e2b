// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// MM: two entries of one lock, and everything that is entered and left like one (reader-writer locks, one-time
// initialisation). The target's thread leaves again before the trigger enters: by its unlock, or by waiting.
//
// What a thread leaves is a target of its own only where it is inside already, and the trigger waits for that; or where
// the trigger never waits, as a try-lock, which sees the difference. Otherwise its entry is the target.
#include "explore/values/rules.h"

namespace ravel::values {

Ruling rule_mm(const Trigger& trigger, const Target& target) {
  const OpKind kind = trigger.step.act.op.kind;
  if (!enters(kind) && !leaves(kind)) return {};
  if (!enters(target.kind) && !leaves(target.kind)) return {};
  Ruling ruling{true, true, false, OrderKind::kMm};
  if (leaves(target.kind))
    ruling.allowed = !has_to_wait(trigger) || (!trigger.enabled && target.holds) || target.may_fail;
  ruling.releases = enters(target.kind) && has_to_wait(trigger) && (rules_off & kOffRelease) == 0;
  return ruling;
}

}  // namespace ravel::values
