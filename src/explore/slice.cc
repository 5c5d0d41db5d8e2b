// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// slice: one round of slice-n-dice (Noonan, "Slice-N-Dice algorithm implementation in JPF", BYU 2014): every order of
// the threads and places that the round has (model/slice.h), each state once. The rounds themselves, and what grows
// from one to the next, are the tool's (investigate/slice_search.h).
//
// Its promise is about the round: what the threads of the slice can do at its places is covered.
#include "explore/make_strategy.h"
#include "explore/parameters.h"
#include "explore/path_search.h"
#include "explore/state_match.h"
#include "explore/strategies.h"
#include "model/policy_depth.h"

namespace ravel {
namespace {

class SliceRound final : public PathSearch {
 public:
  SliceRound(std::pmr::memory_resource& memory, const StrategyOptions& options, StateMatch* match)
      : PathSearch(memory, options, 0, match) {}
};

}  // namespace

StrategyParts create_slice(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view&) {
  unsigned bits = kSliceRandom;
  if (options.parameters["grain"] == 1) bits |= kSliceLines;
  if (options.parameters["symmetry"] != 0) bits |= kSliceSymmetry;
  void* room = memory.allocate(sizeof(StateMatch), alignof(StateMatch));
  auto* match = new (room) StateMatch(memory, options.visited, static_cast<std::uint16_t>(bits), options.seed);
  return make_strategy<SliceRound>(memory, memory, options, match);
}

}  // namespace ravel
