// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/record/points.h"

#include "runtime/state/state.h"

namespace ravel::rt {

PlainPoints g_plain_points = PlainPoints::kNone;

std::uint64_t g_point_filter[kPointFilterBits / 64];

void begin_points() {
  const PlanSpec& plan = g.block->plan;
  const bool excluded = (plan.excluded_classes >> static_cast<unsigned>(OpClass::kPlain) & 1) != 0;
  const bool every = plan.points == PointsMode::kAll && !excluded;
  const bool listed =
      (plan.points == PointsMode::kRacy || plan.points == PointsMode::kShared) && plan.racy_locations != 0 && !excluded;
  g_plain_points = every ? PlainPoints::kEvery : listed ? PlainPoints::kListed : PlainPoints::kNone;
  if (!listed) return;
  for (std::uint64_t& word : g_point_filter) word = 0;
  for (std::uint32_t i = 0; i < plan.racy_locations; ++i) {
    const std::uint32_t bit = point_filter_bit(g.block->racy[i]);
    g_point_filter[bit / 64] |= std::uint64_t{1} << (bit % 64);
  }
}

bool is_listed_point(LocationId location) {
  if (!may_be_listed_point(location)) return false;
  const LocationId* list = g.block->racy;  // sorted
  std::uint32_t low = 0;
  std::uint32_t high = g.block->plan.racy_locations;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (list[middle] < location) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < g.block->plan.racy_locations && list[low] == location;
}

}  // namespace ravel::rt
