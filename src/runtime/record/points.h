// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Which plain accesses are scheduling points: none, those at listed locations (racy, shared), or all. The list comes
// with the plan.
#pragma once

#include "model/event.h"
#include "runtime/platform/hidden.h"

namespace ravel::rt {

void begin_points();

enum class PlainPoints : std::uint8_t { kNone, kListed, kEvery };
RAVEL_HIDDEN extern PlainPoints g_plain_points;
// A small filter in front of the search: most locations are not listed.
inline constexpr std::uint32_t kPointFilterBits = 4096;
RAVEL_HIDDEN extern std::uint64_t g_point_filter[kPointFilterBits / 64];
inline std::uint32_t point_filter_bit(LocationId location) {
  return (location * 0x9e3779b1u) >> 20;
}
// False: certainly none.
inline bool may_be_listed_point(LocationId location) {
  const std::uint32_t bit = point_filter_bit(location);
  return (g_point_filter[bit / 64] >> (bit % 64) & 1) != 0;
}
bool is_listed_point(LocationId location);
inline bool is_plain_point(LocationId location) {
  if (g_plain_points == PlainPoints::kNone) return false;
  return g_plain_points == PlainPoints::kEvery || is_listed_point(location);
}

}  // namespace ravel::rt
