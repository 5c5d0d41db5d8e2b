// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Policies by kind.
#include "runtime/policy/policies.h"

namespace ravel {

Policy& policy_for(PolicyKind kind) {
  switch (kind) {
    case PolicyKind::kRunOn:
      return run_on_policy();
    case PolicyKind::kRandomWalk:
      return random_walk_policy();
    case PolicyKind::kPct:
      return pct_policy();
    case PolicyKind::kPos:
      return pos_policy();
    case PolicyKind::kPreempt:
      return preempt_policy();
    case PolicyKind::kPark:
      return park_policy();
    case PolicyKind::kSurw:
      return surw_policy();
    case PolicyKind::kPeriod:
      return period_policy();
    case PolicyKind::kReadsFrom:
      return reads_from_policy();
    case PolicyKind::kNoise:
      return noise_policy();
    case PolicyKind::kGuided:
      return guided_policy();
    case PolicyKind::kSliced:
      return sliced_policy();
    case PolicyKind::kFulfil:
      return fulfil_policy();
  }
  return run_on_policy();
}

}  // namespace ravel
