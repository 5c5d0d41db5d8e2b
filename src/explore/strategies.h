// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// One creator for each strategy; only strategy_table.cc uses them.
#pragma once

#include <memory_resource>
#include <string_view>

#include "explore/strategy_table.h"

namespace ravel {

using CreateStrategy = StrategyParts(std::pmr::memory_resource& memory, const StrategyOptions& options,
                                     std::string_view& error);

CreateStrategy create_run_on;
CreateStrategy create_random;
CreateStrategy create_pct;
CreateStrategy create_pos;
CreateStrategy create_park;
CreateStrategy create_preempt;
CreateStrategy create_surw;
CreateStrategy create_period;
CreateStrategy create_noise;
CreateStrategy create_rf;
CreateStrategy create_coverage;
CreateStrategy create_portfolio;
CreateStrategy create_dpor;
CreateStrategy create_values;
CreateStrategy create_reachability;
CreateStrategy create_clock_vector;
CreateStrategy create_sharing;
CreateStrategy create_best_first;
CreateStrategy create_bounded;
CreateStrategy create_minimise;
CreateStrategy create_explain;
CreateStrategy create_nearby;
CreateStrategy create_dfs;
CreateStrategy create_meta;
CreateStrategy create_slice;

}  // namespace ravel
