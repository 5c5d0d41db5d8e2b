// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// dfs: every schedule, one after the other, without reduction: stateless search as in Godefroid, "Model checking for
// programming languages using VeriSoft", POPL 1997, without its partial-order methods. Data choices are decisions like
// others. All of it is in path_search.h: choices cost nothing.
//
// match=states leaves out what follows a state in which the search has been: orders that differ only in operations that
// do not touch each other lead to one state (runtime/policy/prefix_hash.h). With order=random it is the baseline that
// guided searches are compared with, randomised depth-first search.
#include "explore/make_strategy.h"
#include "explore/parameters.h"
#include "explore/path_search.h"
#include "explore/sampling.h"
#include "explore/state_match.h"
#include "explore/strategies.h"
#include "model/policy_depth.h"

namespace ravel {
namespace {

class Dfs final : public PathSearch {
 public:
  Dfs(std::pmr::memory_resource& memory, const StrategyOptions& options, StateMatch* match)
      : PathSearch(memory, options, 0, match) {}
};

}  // namespace

StrategyParts create_dfs(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view& error) {
  const bool matches = options.parameters["match"] != 0;
  const bool random = options.parameters["order"] != 0;
  if (!matches && !random) return make_strategy<Dfs>(memory, memory, options, nullptr);
  if (!matches) {
    error = "order=random needs match=states";
    return {};
  }
  if (options.shard_count > 1) {
    error = "match=states is searched by one process";
    return {};
  }
  const auto bits = static_cast<std::uint16_t>(kSliceWhole | (random ? kSliceRandom : 0));
  void* room = memory.allocate(sizeof(StateMatch), alignof(StateMatch));
  return make_strategy<Dfs>(memory, memory, options,
                            new (room) StateMatch(memory, options.visited, bits, options.seed));
}

}  // namespace ravel
