// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// WM: a woken waiter, which has to enter its lock again, against an entry of another thread: who comes first may find
// the condition changed (barging). Fulfilled like MM, from both sides.
#include "explore/values/rules.h"

namespace ravel::values {

Ruling rule_wm(const Trigger& trigger, const Target& target) {
  const OpKind kind = trigger.step.act.op.kind;
  const bool woken = kind == OpKind::kCondReacquire || target.kind == OpKind::kCondReacquire;
  if (!woken || !enters(kind) || !enters(target.kind)) return {};
  Ruling ruling = rule_mm(trigger, target);
  ruling.kind = OrderKind::kWm;
  const bool at_entry = kind != OpKind::kCondReacquire;
  if ((rules_off & kOffWm) != 0 || (at_entry && (rules_off & kOffWmAtEntry) != 0)) ruling.allowed = false;
  return ruling;
}

}  // namespace ravel::values
