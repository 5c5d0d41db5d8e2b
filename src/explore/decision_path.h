// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// DecisionPath: the path from the root of the unreduced tree of schedules: for each decision who could run and who ran.
// dfs and bounded walk it: a prefix of it is the next plan, what was decided behind the prefix becomes the rest.
//
// Kill-safe: entries below the last one in use never change; those above are written before the state that uses them is
// committed (path_search.h).
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>

#include "explore/state_match.h"
#include "explore/strategy.h"

namespace ravel {

class DecisionPath {
 public:
  struct Entry {
    std::uint32_t options;     // 1: nothing to branch on
    std::uint32_t first;       // rank of what the policy took
    std::uint32_t current;     // rank taken on the path
    std::uint32_t threads_at;  // who could run; kNotListed: a data choice
    ThreadIndex running;       // ran last and could go on, else kNoThread
  };
  enum class Fit : std::uint8_t { kFits, kTooBig, kDiverged };

  explicit DecisionPath(std::pmr::memory_resource& memory);

  [[nodiscard]] Entry& operator[](std::uint32_t i) { return entries_[i]; }
  [[nodiscard]] const Entry& operator[](std::uint32_t i) const { return entries_[i]; }
  // What a plan calls the n-th alternative.
  [[nodiscard]] std::uint32_t choice(const Entry& entry, std::uint32_t rank) const {
    return entry.threads_at == kNotListed ? kDataChoice | rank : threads_[entry.threads_at + rank].number();
  }
  // The prefix of that length, its last rank replaced.
  void write(PlanWriter& plan, std::uint32_t length, std::uint32_t last) const;
  // Checks that the prefix was followed and appends what came behind it; *length is then that of the whole path. With
  // `match` only the alternatives that it keeps are branched on, and `states` is the list of states.
  Fit extend(const Execution& execution, std::uint32_t* length, StateMatch* match = nullptr,
             StateMatch::List* states = nullptr);

 private:
  Entry* entries_;
  ThreadIndex* threads_;
};

}  // namespace ravel
