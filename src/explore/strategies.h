// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// One creator for each strategy; only strategy_table.cc uses them.
#pragma once

#include <memory_resource>
#include <string_view>

#include "explore/strategy.h"

namespace ravel {

Strategy* create_run_on(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view& error);
Strategy* create_random(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view& error);
Strategy* create_pct(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view& error);
Strategy* create_pos(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view& error);
Strategy* create_portfolio(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view& error);
Strategy* create_dpor(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view& error);
Strategy* create_clock_vector(std::pmr::memory_resource& memory, const StrategyOptions& options,
                              std::string_view& error);
Strategy* create_sharing(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view& error);
Strategy* create_best_first(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view& error);
Strategy* create_bounded(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view& error);
Strategy* create_minimise(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view& error);
Strategy* create_explain(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view& error);
Strategy* create_nearby(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view& error);
Strategy* create_dfs(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view& error);

}  // namespace ravel
