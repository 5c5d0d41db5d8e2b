// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// One cause, one finding: a missing lock shows as many data races. Those on the same variable or block, or between the
// same two functions, are one group. Its most telling race stands for it, the others are folded into it: the console
// lists them in a line each, JSON keeps them whole.
#pragma once

#include <vector>

#include "report/finding.h"

namespace ravel {

// Sets Finding::folds and Finding::folded_into of data races; each folded one comes right behind the one it is folded
// into. Yields the order: the place that each finding had before. Failures come before races, what
// detectors named after them, each in the order they had.
std::vector<std::size_t> group_races(std::vector<Finding>& findings);

}  // namespace ravel
