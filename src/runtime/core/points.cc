// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/core/points.h"

#include "runtime/core/state.h"

namespace ravel::rt {

PlainPoints g_plain_points = PlainPoints::kNone;

namespace {
// A small filter in front of the binary search: most locations are not listed.
constexpr std::uint32_t kFilterBits = 4096;
std::uint64_t filter[kFilterBits / 64];

std::uint32_t filter_bit(LocationId location) {
  return (location * 0x9e3779b1u) >> 20;
}
}  // namespace

void begin_points() {
  const PlanSpec& plan = g.block->plan;
  const bool excluded = (plan.excluded_classes >> static_cast<unsigned>(OpClass::kPlain) & 1) != 0;
  const bool every = plan.points == PointsMode::kAll && !excluded;
  const bool listed =
      (plan.points == PointsMode::kRacy || plan.points == PointsMode::kShared) && plan.racy_locations != 0 && !excluded;
  g_plain_points = every ? PlainPoints::kEvery : listed ? PlainPoints::kListed : PlainPoints::kNone;
  if (!listed) return;
  for (std::uint64_t& word : filter) word = 0;
  for (std::uint32_t i = 0; i < plan.racy_locations; ++i) {
    const std::uint32_t bit = filter_bit(g.block->racy[i]);
    filter[bit / 64] |= std::uint64_t{1} << (bit % 64);
  }
}

bool is_listed_point(LocationId location) {
  const std::uint32_t bit = filter_bit(location);
  if ((filter[bit / 64] >> (bit % 64) & 1) == 0) return false;
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
