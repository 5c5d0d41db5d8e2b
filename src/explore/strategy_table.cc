// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The one list of strategies. To add one: a file of its own, a line in strategies.h, a row here, a test that states its
// probability of success.
#include "explore/strategies.h"

namespace ravel {
namespace {

constexpr StrategyRow kTable[] = {
    {"portfolio", "a few orders, then one and two preemptions, then POS and PCT in turn (default)", "", false, false,
     create_portfolio},
    {"run-on", "no preemption; random order of threads", "", false, false, create_run_on},
    {"random", "uniform choice at every decision", "", false, false, create_random},
    {"pct", "random priorities with d-1 change points", "depth=N", false, false, create_pct},
    {"pos", "partial order sampling", "", false, false, create_pos},
    {"dpor", "every behaviour once: one schedule of each Mazurkiewicz trace", "sets=optimal or source", true, true,
     create_dpor, false, true, true, false, true},
    {"clock-vector", "every behaviour: dynamic partial order reduction by clock vectors", "dependence=object or access",
     true, true, create_clock_vector},
    {"sharing", "stops where objects are known to be shared, as Java PathFinder: a baseline, not complete", "", true,
     false, create_sharing},
    {"bounded", "all schedules with at most 0, 1, 2, ... preemptions (or delays)", "preemptions=N or delays=N", true,
     false, create_bounded, false, true, true, true},
    {"best-first", "the most promising schedules first, from a queue of limited length",
     "by=mixed, blocked, interleaving, coverage or prefer; queue=N; thread=N", true, false, create_best_first, false,
     false},
    {"dfs", "every schedule, unreduced", "", true, false, create_dfs, false, true, true, true},
};

// Commands of their own ask for these.
constexpr StrategyRow kOnPlans[] = {
    {"minimise", "the simplest schedule with the plan's defect", "", false, false, create_minimise, true},
    {"explain", "pairs of events whose order decides the plan's defect", "", false, false, create_explain, true},
    {"nearby", "schedules that are almost the plan's, nearest first", "", false, false, create_nearby, true},
};

}  // namespace

std::span<const StrategyRow> strategy_table() {
  return kTable;
}

const StrategyRow* find_strategy(std::string_view name) {
  for (const StrategyRow& row : kTable) {
    if (row.name == name) return &row;
  }
  for (const StrategyRow& row : kOnPlans) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

// Source sets are not: what is asleep there is found out by running into it.
bool can_share_a_tree(std::string_view strategy) {
  const StrategyRow* row = find_strategy(strategy.substr(0, strategy.find(',')));
  return row != nullptr && row->one_tree && strategy.find("sets=source") == std::string_view::npos;
}

}  // namespace ravel
