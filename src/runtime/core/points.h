// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Which plain accesses are scheduling points: none, those at listed locations (racy, shared), or all. The list comes
// with the plan.
#pragma once

#include "model/event.h"
#include "runtime/core/hidden.h"

namespace ravel::rt {

void begin_points();

enum class PlainPoints : std::uint8_t { kNone, kListed, kEvery };
RAVEL_HIDDEN extern PlainPoints g_plain_points;
bool is_listed_point(LocationId location);
inline bool is_plain_point(LocationId location) {
  if (g_plain_points == PlainPoints::kNone) return false;
  return g_plain_points == PlainPoints::kEvery || is_listed_point(location);
}

}  // namespace ravel::rt
