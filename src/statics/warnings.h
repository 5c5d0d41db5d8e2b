// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Pairs that look like defects: data races, and locks taken in a circle. A warning is a guess to try first, never a
// finding.
#pragma once

#include <vector>

#include "statics/facts.h"

namespace ravel {

// One per pair of lines.
std::vector<StaticWarning> race_warnings(const Facts& facts);
// Circles of any length up to kLongestCircle, each lock waited for by another thread. A gate, a lock held around all of
// its steps, excludes a circle; so do too few threads.
std::vector<StaticWarning> lock_order_warnings(const Facts& facts);

inline constexpr std::size_t kMostWarnings = 100;  // of each kind
inline constexpr std::size_t kLongestCircle = 6;

}  // namespace ravel
