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
// * Operations can be disabled (locks, waits). The race of two locks is hidden behind the unlock between them: so
//   when f could not run before e (prediction.h), e is passed over and an earlier conflicting step is looked for.
//   Operations that were still pending at the end are treated like steps.
// * v must be executable. When somebody in it holds what f needs (two readers, a writer), he and what follows from
//   him are taken out of v: no schedule that has f here contains them.
// * Where nobody knows whether f could run before e, both is done: it is entered as a guess (schedule_tree.h), and
//   earlier steps are looked for. A guess that fails is a redundant execution.
// * Outcomes of f before e (a try-lock, a compare-exchange, a signal) are predicted, since dependence looks at them.
// * Data choices: the other alternatives of a step conflict with it and are entered like reversals.
//
// Several processes at one tree: what the paper calls done are here all branches before the one that was taken, also
// those that somebody is still at; and v goes down a branch behind it that it can begin with also when somebody is at
// that one, or was: what sleeps in it and in which order it must be woken is seen outside of it only (docs/adr/0010).
// With one process all branches behind are waiting.
//
// Source sets (algorithm 1 there; source_sets.cc): of v only the first act counts. It is entered unless the node has a
// branch, or something asleep, that is an initial of v. The rest of v is run behind it, since it is known to fit, but
// says nothing: what comes next may be asleep, and then the execution was redundant.
// The paper asks that two steps which are independent stay so when an earlier one is left out. Operations with outcomes
// do not keep to that (a futex wait that fails does not mind a wake, one that waits does). So v is entered twice: with
// what came before f only, and with all that does not happen after e, f last. Either may be covered by something
// asleep while the other is not. And a signal is entered once for each waiter.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "explore/prediction.h"
#include "explore/schedule_tree.h"
#include "explore/steps.h"

namespace ravel {

class Reversals {
 public:
  enum class Sets : std::uint8_t { kOptimal, kSource };

  Reversals(std::pmr::memory_resource& memory, const Steps& steps, ScheduleTree& tree, Sets sets);

  // path[k] is the node before the k-th listed step, path[length] the one behind the last. False: no room, something
  // was left out.
  bool enter_all(const NodeId* path, std::uint32_t length);
  // Source sets: how many of the path's nodes were left by an act that was awake. Fewer than all: the execution was in
  // vain from there on.
  [[nodiscard]] std::uint32_t awake() const { return awake_; }
  // A step that the model would not have expected.
  [[nodiscard]] Unmodelled disagreement() { return find_disagreement(selection_); }
  // Something that could perhaps have run, and was not tried.
  [[nodiscard]] const Unmodelled& left_out() const { return left_out_; }

 private:
  // With what is asked of its act and its step again and again.
  struct Item {
    const Act* act;
    std::uint64_t keys;
    std::uint32_t step;  // kNoStep: the predicted one
    std::uint32_t position;
    std::uint32_t name;  // of its thread, as acts have it
    ThreadIndex thread;
    bool reads;  // and does nothing else
    bool gone;   // matched by an edge on the way down
  };

  void collect_sleepers(const NodeId* path, std::uint32_t length);
  void reverse_before(const Step& later, std::uint32_t bound);
  bool reverse(std::uint32_t earlier, const Step& later);
  [[nodiscard]] bool leads_on(const ScheduleTree::Node& branch, std::uint32_t match) const;
  void other_choices(std::uint32_t step);
  // `next` is the step that `last` was made of.
  void enter(std::uint32_t at, const Prediction& last, const Step& next);
  void enter_initial(std::uint32_t depth, const Prediction& last);
  void append_items(NodeId node, const Prediction* last = nullptr);
  [[nodiscard]] bool was_tried(NodeId node, std::uint64_t which) const;
  [[nodiscard]] std::uint64_t items_hash() const;
  void gather(const Act* last, ThreadIndex thread, std::uint32_t end);
  [[nodiscard]] std::uint32_t first_asleep(std::uint32_t length) const;
  [[nodiscard]] bool is_asleep(std::uint32_t depth, std::uint32_t thread, std::uint32_t choice) const;
  [[nodiscard]] bool puts_to_sleep(NodeId id) const { return !tree_[id].guess && !tree_[id].withdrawn; }
  void go_on_awake(std::uint32_t step);
  bool branch_awake(std::uint32_t depth, const Step& next);
  [[nodiscard]] Prediction with_choice(const Prediction& prediction, std::uint32_t choice) const;
  [[nodiscard]] bool is_initial(std::uint32_t item) const;
  [[nodiscard]] bool begins(const ScheduleTree::Node& branch, std::uint32_t* match) const;
  // The usual case: no key in common, or both only read. Else conflict() has to be asked, as it has for acts of one
  // thread.
  [[nodiscard]] bool are_apart(std::uint64_t a_keys, bool a_reads, std::uint64_t b_keys, bool b_reads) const {
    return !steps_.at_length() && ((a_keys & b_keys) == 0 || (a_reads && b_reads && reads_commute_));
  }

  const Steps& steps_;
  ScheduleTree& tree_;
  Sets sets_;
  Selection selection_;
  Item* items_;
  std::uint32_t* depth_of_;      // of a step in the path
  NodeId* sleepers_;             // of all depths, one after the other
  std::uint32_t* sleepers_end_;  // per depth
  std::uint32_t* cover_;         // clock
  bool reads_commute_ = false;   // under the rule of dependence that is in force
  const NodeId* path_ = nullptr;
  std::uint32_t item_count_ = 0;
  std::uint32_t previous_of_last_ = kNoStep;
  std::uint32_t awake_ = 0;
  std::uint32_t end_ = 0;    // steps from here on were redundant
  std::uint32_t bound_ = 0;  // the step that is to come earlier
  bool out_of_room_ = false;
  bool choice_follows_ = false;  // the choice whose alternatives are entered has another one right behind it
  Unmodelled left_out_;
};

}  // namespace ravel
