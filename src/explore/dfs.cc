// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// dfs: every schedule, one after the other, without reduction: stateless search as in Godefroid, "Model checking for
// programming languages using VeriSoft", POPL 1997, without its partial-order methods. Data choices are decisions like
// others. All of it is in path_search.h: choices cost nothing.
#include "explore/make_strategy.h"
#include "explore/path_search.h"
#include "explore/strategies.h"

namespace ravel {
namespace {

class Dfs final : public PathSearch {
 public:
  Dfs(std::pmr::memory_resource& memory, const StrategyOptions& options) : PathSearch(memory, options, 0) {}
};

}  // namespace

StrategyParts create_dfs(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view&) {
  return make_strategy<Dfs>(memory, memory, options);
}

}  // namespace ravel
