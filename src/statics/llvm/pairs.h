// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Pairs of operations of two threads whose order matters: both touch one thing, they may meet, and no filter excludes
// it. Each filter can be switched off, which only adds pairs.
//
// Operations that no filter distinguishes (class of threads, kind, memory, locks, threads alive) are considered once,
// together: programs have many more operations than such groups.
#pragma once

#include <optional>
#include <vector>

#include "statics/analysis_options.h"
#include "statics/llvm/accesses.h"
#include "statics/llvm/parallel.h"

namespace ravel {

// Nothing: there are more than `most`.
std::optional<std::vector<SitePair>> find_pairs(const AnalysisOptions& options, const Accesses& accesses,
                                                const Shared& shared, const Parallel& parallel,
                                                const ThreadClasses& classes, std::size_t most);

}  // namespace ravel
