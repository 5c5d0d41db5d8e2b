// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// How large a tree is of which depth-first search has seen the first part: from the bottom of the present path up, a
// branch that was not entered yet is taken to be as large as its finished siblings are on average (Kilby, Slaney,
// Thiebaux, Walsh, "Estimating search tree size", AAAI 2006, the recursive estimator). What is finished is exact, so
// the estimate becomes exact.
//
// The interval is one order of magnitude wide at most: what part of the tree the estimate rests on narrows it. That it
// holds is measured (tests/unit/explore_estimate_test.cc), not proven.
#pragma once

#include <cstdint>

#include "explore/strategy.h"

namespace ravel {

class SubtreeEstimate {
 public:
  // `counted`: executions so far.
  explicit SubtreeEstimate(std::uint64_t counted) : counted_(counted) {}

  // The lowest node: `done` branches are finished and took what was counted since `begun`; `left` were not entered.
  void enter(std::uint64_t begun, std::uint32_t done, std::uint32_t left) {
    const auto finished = static_cast<double>(counted_ - begun);
    const double average = done == 0 ? 1 : finished / done;
    size_ = finished + average * left;
    waiting_ = left;
  }
  // Its parent: the active branch was entered when `since` executions had been counted.
  void leave_to(std::uint64_t begun, std::uint64_t since, std::uint32_t done, std::uint32_t left) {
    const auto finished = static_cast<double>(since - begun);
    size_ = finished + size_ + (finished + size_) / (done + 1) * left;
    waiting_ += left;
  }

  // `earlier` executions were counted outside of this tree, `counted` in all.
  [[nodiscard]] Estimate total(std::uint64_t earlier, std::uint64_t counted) const {
    constexpr double kMost = 1e18;
    constexpr double kSpread = 3.16;  // of an interval that is one order of magnitude wide
    const double likely = size_ < kMost ? size_ : kMost;
    const double seen = likely > 0 ? static_cast<double>(counted_) / likely : 0;
    const double spread = 1 + (kSpread - 1) * (seen < 1 ? 1 - seen : 0);
    Estimate estimate;
    const std::uint64_t sure = counted + waiting_;
    estimate.likely = earlier + static_cast<std::uint64_t>(likely + 0.5);
    estimate.low = earlier + static_cast<std::uint64_t>(likely / spread);
    estimate.high = earlier + static_cast<std::uint64_t>(likely * spread + 0.5);
    if (estimate.low < sure) estimate.low = sure;
    if (estimate.likely < sure) estimate.likely = sure;
    if (estimate.high < sure) estimate.high = sure;
    return estimate;
  }

 private:
  std::uint64_t counted_;
  std::uint64_t waiting_ = 0;  // branches that are still to be entered: an execution each at least
  double size_ = 1;
};

}  // namespace ravel
