// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The rounds of strategy slice, and what they amount to, in words.
#pragma once

#include <string>

#include "report/report.h"
#include "report/style.h"

namespace ravel {

// Empty: the campaign had no target.
std::string slice_text(const SliceReport& slice, const GoalReport& goal, const Style& style);

}  // namespace ravel
