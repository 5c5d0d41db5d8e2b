// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The path that the points lie on, as choices, and the plan that runs a point's goal: its prefix, and the goals of the
// stack. Points share the path: what is behind the one in hand is overwritten by the execution that comes of it.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "explore/strategy.h"
#include "explore/values/execution_view.h"
#include "explore/values/points.h"
#include "explore/values/static_pairs.h"

namespace ravel::values {

class PlanOfPoint {
 public:
  PlanOfPoint(std::pmr::memory_resource& memory, const PointStack& points, const AccessClasses& classes,
              const StaticPairs& statics, const ThreadLines& lines);

  void keep_path(const ExecutionView& view);
  // Whether the execution began with the first `depth` choices of the path.
  [[nodiscard]] bool fits(const ExecutionView& view, std::uint32_t depth) const;
  void write(PlanWriter& plan, std::uint32_t point);

 private:
  void write_goals(PlanWriter& plan, std::uint32_t point) const;
  [[nodiscard]] Goal goal_at(const Point& point, GoalState state) const;
  [[nodiscard]] ThreadIndex index_of(const Choice& choice, ThreadIndex created) const;

  const PointStack& points_;
  const AccessClasses& classes_;
  const StaticPairs& statics_;
  const ThreadLines& lines_;
  Choice* path_;
  ThreadIndex* indices_;  // scratch: of threads created on the path, by name
  std::uint32_t length_ = 0;
};

}  // namespace ravel::values
