// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Optional interfaces of strategies. A strategy's creator yields those that its row names (StrategyRow::roles); the
// engine asks for nothing else. The third role is causality/observer.h: a strategy that watches events.
#pragma once

#include <cstdint>
#include <span>

#include "explore/strategy.h"

namespace ravel {

// What other processes at the same search did since this one's last execution: they started it again, with these
// points.
struct RestartByOthers {
  bool restarted = false;
  std::span<const LocationId> points{};
};

// Several processes at one search.
class SharedSearch {
 public:
  // Asked before next() and before learn(): false, another process has the search, or has what comes next; ask again in
  // a while. From can_learn() to next() no other process has it, or to leave(), which is called when the loop ends.
  [[nodiscard]] virtual bool can_plan() = 0;
  [[nodiscard]] virtual bool can_learn(const Execution& execution) = 0;
  virtual void leave() = 0;
  // Asked before learn(): then the execution in hand is part of no search any more, and learn() sees points_grew.
  [[nodiscard]] virtual RestartByOthers restart_by_others() const = 0;

 protected:
  ~SharedSearch() = default;
};

// An execution that the driver gets.
struct HandedOver {
  bool this_one = false;  // the execution that was learnt last
  std::uint64_t key = 0;  // its own among those handed over
  OutcomeKind kind = OutcomeKind::kNotRun;
  EventPair pair{};  // of `explain'
};

// Of a strategy that is about one defect: the driver gets the executions it hands over and nothing else.
class TargetPlan {
 public:
  [[nodiscard]] virtual HandedOver handed_over() const = 0;

 protected:
  ~TargetPlan() = default;
};

}  // namespace ravel
