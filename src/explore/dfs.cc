// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// dfs: every schedule, one after the other, without reduction: stateless search as in Godefroid, "Model checking for
// programming languages using VeriSoft", POPL 1997, without its partial-order methods. Data choices are decisions like
// others. All of it is in path_search.h: choices cost nothing.
#include <new>

#include "explore/parameters.h"
#include "explore/path_search.h"
#include "explore/strategies.h"

namespace ravel {
namespace {

class Dfs final : public PathSearch {
 public:
  Dfs(std::pmr::memory_resource& memory, const StrategyOptions& options) : PathSearch(memory, options, 0) {}
};

}  // namespace

Strategy* create_dfs(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view& error) {
  if (!read_parameter(options.parameters, {}, nullptr)) {
    error = "this strategy takes no parameters";
    return nullptr;
  }
  return new (memory.allocate(sizeof(Dfs), alignof(Dfs))) Dfs(memory, options);
}

}  // namespace ravel
