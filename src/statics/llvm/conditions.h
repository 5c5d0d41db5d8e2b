// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The condition of a branch in terms of memory and constants, so that it can be read and evaluated: "x > 6".
#pragma once

#include <llvm/IR/Value.h>

#include <string>

#include "statics/llvm/accesses.h"

namespace ravel {

// Empty: the condition depends on more than single objects, constants and sums of them.
std::string condition_text(const PointerModel& model, const Accesses& accesses, const llvm::Value& condition);

}  // namespace ravel
