// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Schedules with at most two preemptions, at decisions drawn from as many as there were: most defects need no more
// (Musuvathi, Qadeer, "Iterative context bounding for systematic testing of multithreaded programs", PLDI 2007). Who
// comes next when a thread cannot go on is drawn too, so one in three has no preemption and is still not like the
// others.
#pragma once

#include "base/random.h"
#include "explore/sampling.h"
#include "model/policy_depth.h"

namespace ravel {

inline void fill_few_switches(PolicySpec& policy, const Sampling& lengths, Random& random) {
  policy.kind = PolicyKind::kPreempt;
  policy.depth = kAnyOrder;
  policy.seed = random.next();
  policy.switches = static_cast<std::uint8_t>(random.below(3));
  if (policy.switches > lengths.decisions) policy.switches = static_cast<std::uint8_t>(lengths.decisions);
  if (policy.switches == 0) return;
  auto first = static_cast<std::uint32_t>(random.below(lengths.decisions));
  policy.forced[0] = {first, static_cast<std::uint32_t>(random.next())};
  if (policy.switches == 1) return;
  auto second = static_cast<std::uint32_t>(random.below(lengths.decisions - 1));
  if (second >= first) ++second;
  policy.forced[0].decision = first < second ? first : second;
  policy.forced[1] = {first < second ? second : first, static_cast<std::uint32_t>(random.next())};
}

}  // namespace ravel
