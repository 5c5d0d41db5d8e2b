// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Pairs of operations of two threads whose order matters: both touch one thing, they may meet, and no filter excludes
// it. Each filter can be switched off, which only adds pairs.
#pragma once

#include <set>
#include <vector>

#include "statics/analysis_options.h"
#include "statics/llvm/accesses.h"
#include "statics/llvm/parallel.h"

namespace ravel {

std::vector<SitePair> find_pairs(const AnalysisOptions& options, const Accesses& accesses, const Shared& shared,
                                 const Parallel& parallel, const ThreadClasses& classes);

}  // namespace ravel
