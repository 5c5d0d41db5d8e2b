// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// How large a tree is of which depth-first search has seen the first part: the geometric mean of two estimates that go
// from the bottom of the present path up. One takes a branch that was not entered yet to be as large as its finished
// siblings on average (Kilby, Slaney, Thiebaux, Walsh, "Estimating search tree size", AAAI 2006, the recursive
// estimator); the other takes all branches of a node to have the same part of the tree (their weighted backtrack
// estimator). What is finished is exact, so both become exact.
//
// The interval is at most one order of magnitude wide. Trees that are known from the beginning are rather smaller than
// the estimate, since what comes first is the least entangled; reduced search has branches that nobody has found yet.
// That it holds is measured (tests/unit/explore_estimate_test.cc), not proven.
#pragma once

#include <cstdint>

#include "explore/strategy.h"

namespace ravel {

// Without a library of mathematics.
inline double root(double square) {
  double value = square > 1 ? square : 1;
  for (int i = 0; i < 64; ++i) value = (value + square / value) / 2;
  return value;
}

enum class Grows : std::uint8_t { kNo, kYes };  // are branches found while the search goes on?

class SubtreeEstimate {
 public:
  // `counted`: executions so far.
  SubtreeEstimate(std::uint64_t counted, Grows grows) : counted_(counted), grows_(grows) {}

  // The lowest node: `done` branches are finished and took what was counted since `begun`; `left` were not entered.
  void enter(std::uint64_t begun, std::uint32_t done, std::uint32_t left) {
    const auto finished = static_cast<double>(counted_ - begun);
    const double average = done == 0 ? 1 : finished / done;
    size_ = finished + average * left;
    waiting_ = left;
    part_ = static_cast<double>(done) / (done + left);
  }
  // Its parent: the active branch was entered when `since` executions had been counted.
  void leave_to(std::uint64_t begun, std::uint64_t since, std::uint32_t done, std::uint32_t left) {
    const auto finished = static_cast<double>(since - begun);
    size_ = finished + size_ + (finished + size_) / (done + 1) * left;
    waiting_ += left;
    part_ = (done + part_) / (done + 1 + left);
  }

  // `earlier` executions were counted outside of this tree, `counted` in all.
  [[nodiscard]] Estimate total(std::uint64_t earlier, std::uint64_t counted) const {
    constexpr double kMost = 1e18;
    // Together one order of magnitude at most.
    constexpr double kBelow[] = {4.7, 2.36};
    constexpr double kAbove[] = {2.1, 4.2};
    const auto done = static_cast<double>(counted_);
    double likely = part_ > 0 ? root(size_ * done / part_) : size_;
    if (!(likely < kMost)) likely = kMost;
    const bool grows = grows_ == Grows::kYes;
    const double unseen = grows || done >= likely ? 1 : 1 - done / likely;
    const double below = 1 + (kBelow[grows] - 1) * unseen;
    const double above = 1 + (kAbove[grows] - 1) * unseen;
    const std::uint64_t sure = counted + waiting_;
    Estimate estimate;
    estimate.likely = earlier + static_cast<std::uint64_t>(likely + 0.5);
    estimate.low = earlier + static_cast<std::uint64_t>(likely / below) + 1;
    estimate.high = earlier + static_cast<std::uint64_t>(likely * above);
    if (estimate.low < sure) estimate.low = sure;
    if (estimate.likely < sure) estimate.likely = sure;
    if (estimate.high < sure) estimate.high = sure;
    return estimate;
  }

 private:
  std::uint64_t counted_;
  std::uint64_t waiting_ = 0;  // branches that are still to be entered: an execution each at least
  Grows grows_;
  double size_ = 1;
  double part_ = 0;  // of the tree that was seen
};

}  // namespace ravel
