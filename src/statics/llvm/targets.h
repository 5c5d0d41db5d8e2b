// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Places whose execution is a failure: assert, abort, throw, ravel::check.
#pragma once

#include <vector>

#include "statics/facts.h"
#include "statics/llvm/pointer_model.h"

namespace ravel {

// In the order of the sources. A throw may be caught: it is a target, not a defect.
std::vector<StaticTarget> find_targets(const PointerModel& model);

}  // namespace ravel
