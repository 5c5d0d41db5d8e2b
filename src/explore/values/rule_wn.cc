// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// WN: a wait and a notification. A thread that waits needs one to go on; and where the notification does not hold the
// mutex both orders are possible: one that comes before the wait is lost.
#include "explore/values/rules.h"

namespace ravel::values {

namespace {
bool notifies(OpKind kind) {
  return kind == OpKind::kCondSignal || kind == OpKind::kCondBroadcast;
}
bool waits(OpKind kind) {
  return kind == OpKind::kCondWait || kind == OpKind::kCondReacquire;
}
}  // namespace

Ruling rule_wn(const Trigger& trigger, const Target& target) {
  const OpKind of_trigger = trigger.step.act.op.kind;
  const bool applies = (notifies(of_trigger) && waits(target.kind)) || (waits(of_trigger) && notifies(target.kind));
  return {applies, applies && (rules_off & kOffWn) == 0, false, OrderKind::kWn};
}

}  // namespace ravel::values
