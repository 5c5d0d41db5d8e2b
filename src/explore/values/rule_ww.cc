// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// WW: two waiters that were woken both and have to enter the same lock again. Fulfilled like MM.
#include "explore/values/rules.h"

namespace ravel::values {

Ruling rule_ww(const Trigger& trigger, const Target& target) {
  if (trigger.step.act.op.kind != OpKind::kCondReacquire || target.kind != OpKind::kCondReacquire) return {};
  Ruling ruling = rule_mm(trigger, target);
  ruling.kind = OrderKind::kWw;
  if ((rules_off & kOffWw) != 0) ruling.allowed = false;
  return ruling;
}

}  // namespace ravel::values
