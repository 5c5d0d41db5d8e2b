// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Fulfilling rules: what kind of pair two operations are, and whether the trigger's may be made to wait for the
// target's. One function per kind, in a file of its own; rules.cc asks them in turn.
#pragma once

#include <cstdint>

#include "explore/steps.h"
#include "model/goal.h"
#include "semantics/entries.h"

namespace ravel::values {

struct Trigger {
  const Step& step;
  bool enabled = true;
  bool timed_at_will = false;  // a time-out may come at any time: the operation never has to wait
};
struct Target {
  OpKind kind = OpKind::kNone;
  bool holds = false;     // its thread is inside what the trigger wants to enter
  bool may_fail = false;  // it was seen to: an unlock by a thread that is not inside
};

struct Ruling {
  bool applies = false;   // the kind is this rule's
  bool allowed = false;   // the target may come right before the trigger
  bool releases = false;  // ... once it has left again what it entered
  OrderKind kind = OrderKind::kOther;
};

// An entry that waits while somebody is inside.
bool has_to_wait(const Trigger& trigger);

Ruling rule_rw(const Trigger& trigger, const Target& target);
Ruling rule_wn(const Trigger& trigger, const Target& target);
Ruling rule_wm(const Trigger& trigger, const Target& target);
Ruling rule_ww(const Trigger& trigger, const Target& target);
Ruling rule_mm(const Trigger& trigger, const Target& target);
// The rules in turn; what none of them knows is allowed.
Ruling rule_for(const Trigger& trigger, const Target& target);

// The subset rule: both may come before the trigger without an order between them.
bool may_be_unordered(OpKind a, OpKind b);

// A variable so that tests can switch rules off and see the search fail. Bits.
enum RuleOff : std::uint32_t {
  kOffSubset = 1u << 0,
  kOffRelease = 1u << 1,
  kOffWn = 1u << 2,
  kOffWm = 1u << 3,
  kOffWw = 1u << 4,
  kOffDedicated = 1u << 5,
  kOffOnTheStack = 1u << 6,
  kOffForEver = 1u << 7,
  kOffBlocked = 1u << 8,
  kOffWaitReleases = 1u << 9,  // WN, case c: who waits has left
  kOffWmAtEntry = 1u << 10,    // WM where the trigger enters for the first time
  // Shortcuts: without them more goals are dropped, and nothing else changes.
  kOffLookAhead = 1u << 11,
  kOffBlockedAtOnce = 1u << 12,
};
extern std::uint32_t rules_off;

}  // namespace ravel::values
