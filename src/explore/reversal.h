// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Reversals: from one execution, the schedules that must still be run because two steps could have come the other way
// round, entered into the tree of schedules.
//
// Optimal dynamic partial order reduction: Abdulla, Aronis, Jonsson, Sagonas, "Optimal dynamic partial order
// reduction", POPL 2014, and "Source sets", J. ACM 64 (2017), algorithm 2. For steps e and f of different threads that
// conflict, f not already ordered after e by its own thread: v = everything that does not happen after e, then f's
// thread. v is entered at the node before e unless one of the acts asleep there could begin it.
//
// Departures
// * Operations can be disabled (locks, waits). The race of two locks is hidden behind the unlock between them: so when
// f
//   could not run before e (prediction.h), e is passed over and an earlier conflicting step is looked for. Operations
//   that were still pending at the end are treated like steps.
// * v must be executable. When somebody in it holds what f needs (two readers, a writer), he and what follows from him
// are
//   taken out of v: no schedule that has f here contains them.
// * Outcomes of f before e (a try-lock, a compare-exchange, a signal) are predicted, since dependence looks at them.
// * Data choices: the other alternatives of a step conflict with it and are entered like reversals.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "explore/prediction.h"
#include "explore/schedule_tree.h"
#include "explore/steps.h"

namespace ravel {

class Reversals {
 public:
  Reversals(std::pmr::memory_resource& memory, const Steps& steps, ScheduleTree& tree);

  // path[k] is the node before the k-th listed step. False: no room, something was left out.
  bool enter_all(const NodeId* path, std::uint32_t length);

 private:
  struct Item {
    const Act* act;
    std::uint32_t step;  // kNoStep: the predicted one
    bool gone;           // matched by an edge on the way down
  };

  void collect_sleepers(const NodeId* path, std::uint32_t length);
  void reverse_before(const Step& later, std::uint32_t bound);
  bool reverse(std::uint32_t earlier, const Step& later);
  void other_choices(std::uint32_t step);
  void enter(std::uint32_t at, const Act& last, std::uint32_t previous);
  void gather(const Act& last);
  [[nodiscard]] bool is_initial(std::uint32_t item) const;
  [[nodiscard]] bool begins(const Act& act, std::uint32_t* match) const;

  const Steps& steps_;
  ScheduleTree& tree_;
  Selection selection_;
  Item* items_;
  std::uint32_t* depth_of_;      // of a step in the path
  NodeId* sleepers_;             // of all depths, one after the other
  std::uint32_t* sleepers_end_;  // per depth
  std::uint32_t* cover_;         // clock
  const NodeId* path_ = nullptr;
  std::uint32_t item_count_ = 0;
  std::uint32_t previous_of_last_ = kNoStep;
  bool out_of_room_ = false;
};

}  // namespace ravel
