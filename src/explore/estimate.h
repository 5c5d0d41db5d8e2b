// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// How large a tree is of which depth-first search has seen the first part: the weighted backtrack estimator of Kilby,
// Slaney, Thiebaux, Walsh, "Estimating search tree size", AAAI 2006. All branches of a node are taken to have the same
// part of what is below it; what was counted divided by the part that was seen is the whole.
//
// The interval is one order of magnitude wide, and narrower when more than half was seen. Its lower end is never below
// what is sure: what was counted and the branches that wait; where that lifts it, the upper end goes with it. So from a
// tenth of the run on it fails by being too high only. Trees whose branches are known from the beginning are rather
// smaller than the estimate, since what comes first is entangled most; reduced search has branches that nobody has
// found yet. How often the truth is inside is measured (tests/unit/explore_estimate_test.cc), not proven.
#pragma once

#include <cstdint>

#include "explore/strategy.h"

namespace ravel {

enum class Grows : std::uint8_t { kNo, kYes };  // are branches found while the search goes on?

class SubtreeEstimate {
 public:
  // `counted`: executions so far.
  SubtreeEstimate(std::uint64_t counted, Grows grows) : counted_(counted), grows_(grows) {}

  // From the lowest node of the present path up: `done` branches are finished, `left` were not entered, and where there
  // is one, the active branch is in between.
  void lowest(std::uint32_t done, std::uint32_t left) {
    waiting_ = left;
    part_ = static_cast<double>(done) / (done + left);
  }
  void above(std::uint32_t done, std::uint32_t left) {
    waiting_ += left;
    part_ = (done + part_) / (done + 1 + left);
  }

  // Where the part that was seen is known as a whole.
  void seen(double part) { part_ = part; }

  // `earlier` executions were counted outside of this tree, `counted` in all.
  [[nodiscard]] Estimate total(std::uint64_t earlier, std::uint64_t counted) const {
    constexpr double kMost = 1e18;
    constexpr double kWidth = 10;
    constexpr double kBelow[] = {4.2, 3.2};
    const double unseen = part_ < 0.5 ? 1 : 2 * (1 - part_);
    const auto sure = static_cast<double>(counted_ + waiting_);
    double likely = part_ > 0 ? static_cast<double>(counted_) / part_ : sure;
    if (!(likely < kMost)) likely = kMost;
    double low = likely / (1 + (kBelow[grows_ == Grows::kYes] - 1) * unseen);
    if (low < sure) low = sure;
    if (likely < low) likely = low;
    const double high = low * (1 + (kWidth - 1) * unseen);
    Estimate estimate;
    estimate.low = earlier + static_cast<std::uint64_t>(low);
    if (static_cast<double>(estimate.low - earlier) < low) ++estimate.low;
    estimate.likely = earlier + static_cast<std::uint64_t>(likely);
    estimate.high = earlier + static_cast<std::uint64_t>(high);
    if (estimate.low < counted) estimate.low = counted;
    if (estimate.high < estimate.likely) estimate.high = estimate.likely;
    return estimate;
  }

 private:
  std::uint64_t counted_;
  std::uint64_t waiting_ = 0;  // branches that are still to be entered: an execution each at least
  Grows grows_;
  double part_ = 0;  // of the tree that was seen
};

}  // namespace ravel
