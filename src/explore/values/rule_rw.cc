// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// RW: two accesses, one of them a write. Either may come first; nobody is ever blocked. Reads before one write are a
// set: may_be_unordered().
#include "explore/values/rules.h"

namespace ravel::values {

Ruling rule_rw(const Trigger& trigger, const Target& target) {
  const bool applies = is_memory_access(trigger.step.act.op.kind) && is_memory_access(target.kind);
  return {applies, applies, false, OrderKind::kRw};
}

}  // namespace ravel::values
