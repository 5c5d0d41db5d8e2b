// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The policies, one object each; registry.cc gives them by kind.
#pragma once

#include "runtime/policy/policy.h"

namespace ravel {

Policy& run_on_policy();
Policy& random_walk_policy();
Policy& pct_policy();
Policy& pos_policy();
Policy& preempt_policy();
Policy& park_policy();
Policy& surw_policy();
Policy& period_policy();
Policy& reads_from_policy();
Policy& noise_policy();
Policy& guided_policy();
Policy& sliced_policy();
Policy& fulfil_policy();

}  // namespace ravel
