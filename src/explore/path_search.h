// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// PathSearch: depth-first search of the unreduced tree of schedules by re-execution, what dfs and bounded share. The
// path from the root is a prefix of choices; behind it a fixed policy decides, and what it decided becomes the rest of
// the path. The next path is the deepest one with an alternative left that can be afforded. A search whose choices cost
// something goes on with the next bound when nothing is left within this one.
//
// The tree is one for a fixed set of points: when that grows, the search starts over. Runs that were cut (step limit,
// hang, divergence) and schedules too long for the tables leave it incomplete, and it says so.
//
// With state matching (state_match.h) alternatives are left out that lead on from states where the search has been, and
// one process does it all.
//
// Several processes: a path's first decisions say whose it is. Everybody walks the top of the tree, each counts and
// goes into what is its own.
//
// Kill-safe: the state is {length, last choice}; entries of the path below the last one never change while in use,
// those above are written before the state that uses them is committed.
#pragma once

#include "base/two_slots.h"
#include "explore/decision_path.h"
#include "explore/strategy.h"

namespace ravel {

class PathSearch : public Strategy {
 public:
  bool next(PlanWriter& plan) final;
  Share learn(const Execution& execution) final;
  void recover(std::uint64_t learned) final { state_.recover(learned); }
  [[nodiscard]] SearchVerdict verdict(std::uint64_t counted) const final;

 protected:
  // Bounds 0, 1, ..., `most`.
  PathSearch(std::pmr::memory_resource& memory, const StrategyOptions& options, std::uint32_t most,
             StateMatch* match = nullptr);
  ~PathSearch() = default;

  // What a choice costs.
  [[nodiscard]] virtual std::uint32_t cost(const DecisionPath::Entry& entry, std::uint32_t rank) const {
    return (void)entry, (void)rank, 0;
  }
  // What an incomplete result means, when nothing went wrong and `bounds` bounds were covered.
  [[nodiscard]] virtual std::string_view covered(std::uint32_t bounds) const {
    return (void)bounds, std::string_view{};
  }
  [[nodiscard]] const DecisionPath& path() const { return path_; }

 private:
  struct State {
    std::uint32_t length = 0;  // of the path that is the next prefix
    std::uint32_t last = 0;    // rank of its last choice
    std::uint32_t bound = 0;
    Share share = Share::kCounts;
    std::uint8_t passed_over = 0;  // something costs more than the bound
    std::uint8_t finished = 0;
    std::uint8_t cut = 0;       // some run did not reach its end
    std::uint8_t too_big = 0;   // some decision could not be branched on
    std::uint8_t diverged = 0;  // some prefix did not fit: the program is not deterministic
    std::uint8_t inexact = 0;   // states may have been taken for others
    std::uint64_t counted = 0;  // executions within this bound
    std::uint64_t number = 0;   // of the next execution, and of the search
    std::uint32_t search = 0;
    StateMatch::List states{};  // of the last execution
  };

  [[nodiscard]] bool sound() const {
    const State& s = state_.current();
    return s.finished != 0 && s.cut == 0 && s.too_big == 0 && s.diverged == 0 && s.inexact == 0;
  }
  [[nodiscard]] std::uint32_t bounds() const;
  [[nodiscard]] Estimate estimate(std::uint64_t counted) const;
  [[nodiscard]] std::string_view trouble() const;
  [[nodiscard]] bool is_own(std::uint32_t length, std::uint32_t last) const;
  void step_on(State& s) const;
  [[nodiscard]] bool find_next(State& s) const;

  StateMatch* match_;  // null: states are not matched
  DecisionPath path_;
  std::uint32_t most_;
  std::uint32_t shard_;
  std::uint32_t shards_;
  std::uint32_t split_depth_;  // decisions that say whose a path is
  TwoSlots<State> state_;
};

}  // namespace ravel
