// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A `dpor' search that goes on with its turns beside other ways to explore. When it is finished everything was covered.
// It starts over when there are new points, without an execution for that. Where faults are injected, or it met
// something that it cannot reason about, it has no turns.
//
// Kill-safe: the search is journalled by itself; State says how far it was when the caller committed.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "explore/strategy_table.h"

namespace ravel {

class SearchAlong {
 public:
  // Trivially copyable: the strategy commits it.
  struct State {
    std::uint64_t learned = 0;    // executions that it has learned from
    std::uint64_t counted = 0;    // executions since it started over
    std::uint64_t left = 0;       // executions that it still needs, as it guesses; 0: no idea
    std::uint8_t given_up = 0;    // it cannot become complete as it is
    std::uint8_t impossible = 0;  // ... nor by starting over
    std::uint8_t complete = 0;
  };

  // A shard that does not search gives no memory.
  explicit SearchAlong(std::pmr::memory_resource* memory);

  [[nodiscard]] bool may_run(const State& s, const PlanSpec& plan) const {
    return search_.strategy != nullptr && s.impossible == 0 && s.given_up == 0 && plan.faults == 0;
  }
  void next(PlanWriter& plan);
  // An execution: its own, or of another part.
  void learn(State& s, const Execution& execution, bool own);
  void recover(const State& s);
  [[nodiscard]] SearchVerdict verdict(const State& s) const;

 private:
  void learn_own(State& s, const Execution& execution);
  void start_over(State& s, const Execution& execution);

  StrategyParts search_;  // null: another shard's
};

}  // namespace ravel
