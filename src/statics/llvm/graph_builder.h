// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The code graph of a module: lines, calls, control dependence by post-dominance, values by SSA, memory by points-to.
//
// Control dependence: Ferrante, Ottenstein, Warren, "The program dependence graph and its use in optimization", TOPLAS
// 1987. A block that does not return is an end of its function, so what comes after it depends on the branch that
// avoids it.
#pragma once

#include "statics/llvm/accesses.h"

namespace ravel {

CodeGraph build_graph(const PointerModel& model, const ThreadClasses& classes, const Shared& shared,
                      const Accesses& accesses);

}  // namespace ravel
