// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// State matching for a depth-first search: of the decisions that an execution made behind its prefix only those count
// that its policy (runtime/policy/sliced_policy.cc) logged as real choices in states where the search has not been.
// The states of an execution become known to the policy when the search has taken it in.
//
// Kill-safe: the keys of an execution go into one of two lists; which of them holds, and how much of it, is part of the
// caller's state. publish() may be done again; `added` may then count a key twice, on the safe side.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>

#include "base/random.h"
#include "explore/strategy.h"
#include "model/guide.h"
#include "model/policy_depth.h"

namespace ravel {

class StateMatch {
 public:
  // Which list holds, and what is in it.
  struct List {
    std::uint32_t which = 0;
    std::uint32_t count = 0;
  };

  StateMatch(std::pmr::memory_resource& memory, VisitedStates* visited, std::uint16_t bits, std::uint64_t seed)
      : visited_(visited), bits_(bits), seed_(seed) {
    for (std::uint64_t*& list : keys_) {
      list = static_cast<std::uint64_t*>(memory.allocate(sizeof(std::uint64_t) * kMaxRanked, alignof(std::uint64_t)));
    }
  }

  // False: only what a slice has.
  [[nodiscard]] bool covers_everything() const { return (bits_ & kSliceWhole) != 0; }

  // Of execution `number` of search `search`: states of another search do not count.
  void write_policy(PolicySpec& policy, std::uint64_t number, std::uint32_t search) const {
    policy.kind = PolicyKind::kSliced;
    policy.depth = bits_;
    policy.seed = hash_combine(seed_, number);
    policy.counts[1] = static_cast<std::uint16_t>(search);
  }

  // What is not known is searched again, so that a full table costs time only.
  void publish(const List& list) {
    for (std::uint32_t i = 0; i < list.count && visited_ != nullptr && added_ < kMost; ++i) {
      std::uint64_t& slot = visited_->keys[visited_->slot_of(keys_[list.which][i])];
      if (slot == keys_[list.which][i]) continue;
      slot = keys_[list.which][i];
      ++added_;
    }
  }

  // Begins to take an execution in; the list that does not hold is written. False: its log is not complete.
  bool begin(const Execution& execution, List& list) {
    list = {1 - list.which, 0};
    ranked_ = execution.trace.ranked;
    at_ = 0;
    const std::uint32_t logged = execution.result.guide.ranked;
    if (logged >= ranked_.size()) return false;
    ranked_ = ranked_.first(logged);
    return true;
  }
  // Of `decisions` decisions those before a state that the search has been in.
  [[nodiscard]] static std::uint32_t fresh(const Execution& execution, std::uint32_t decisions) {
    const std::uint32_t known = execution.result.guide.known_from;
    return known < decisions ? known : decisions;
  }

  // Of the threads that could run at decision number `decision` those that are alternatives, `chosen` among them; their
  // number. The order is the seed's. Decisions are asked for one after the other.
  std::uint32_t keep(std::uint32_t decision, std::span<ThreadIndex> threads, std::uint32_t chosen, List& list) {
    while (at_ < ranked_.size() && ranked_[at_].decision < decision) ++at_;
    const std::size_t first = at_;
    std::uint32_t kept = 0;
    for (; at_ < ranked_.size() && ranked_[at_].decision == decision; ++at_) {
      if (kept < threads.size()) threads[kept++] = static_cast<ThreadIndex>(ranked_[at_].choice);
    }
    if (kept == 0) {
      threads[0] = static_cast<ThreadIndex>(chosen);
      return 1;
    }
    if (list.count < kMaxRanked) keys_[list.which][list.count++] = ranked_[first].state;
    if ((bits_ & kSliceRandom) == 0) return kept;
    Random random(hash_combine(seed_, ranked_[first].state));
    for (std::uint32_t i = kept; i > 1; --i) {
      const auto other = static_cast<std::uint32_t>(random.below(i));
      const ThreadIndex last = threads[i - 1];
      threads[i - 1] = threads[other];
      threads[other] = last;
    }
    return kept;
  }

 private:
  static constexpr std::uint32_t kMost = VisitedStates::kSlots / 4 * 3;

  VisitedStates* visited_;
  std::uint16_t bits_;
  std::uint64_t seed_;
  std::uint64_t* keys_[2] = {};
  std::span<const RankedChoice> ranked_{};  // of the execution that is taken in
  std::size_t at_ = 0;
  std::uint32_t added_ = 0;
};

}  // namespace ravel
