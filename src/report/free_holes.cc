// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "report/free_holes.h"

#include <algorithm>

namespace ravel {

FreeHoles::FreeHoles(const FreeRecord& run) {
  std::vector<FreeGap> all;
  for (const FreeThreadRecord& thread : run.threads) {
    for (const FreeGap& gap : thread.gaps) {
      if (gap.from < gap.until) all.push_back(gap);
    }
  }
  std::sort(all.begin(), all.end(), [](const FreeGap& a, const FreeGap& b) { return a.from < b.from; });
  for (const FreeGap& gap : all) {
    if (gaps_.empty() || gaps_.back().until < gap.from) {
      gaps_.push_back(gap);
    } else {
      gaps_.back().until = std::max(gaps_.back().until, gap.until);
    }
  }
}

void FreeHoles::pass(std::uint64_t time, std::size_t events) {
  for (; next_ < gaps_.size() && gaps_[next_].from <= time; ++next_) {
    if (!open_) holes_.push_back({events, events});
    open_ = gaps_[next_].until > time;
    if (open_) return;
    holes_.back().last = events;
  }
}

std::vector<TraceHole> FreeHoles::take(std::size_t events) {
  if (open_) holes_.back().last = events;
  return std::move(holes_);
}

}  // namespace ravel
