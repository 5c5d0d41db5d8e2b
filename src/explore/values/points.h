// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Backtracking points: where the thread that runs could have waited for another thread's access. A point is a depth of
// the path (so many choices from the start), the trigger that stands there, and a list of goals; the points of one path
// lie on a stack, the deepest on top. A state is not saved: the path is run again.
//
// Kill-safe with a journal: what the state before a step may still need is changed through it; paths and points above
// the one in hand are written without.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "base/journal.h"
#include "explore/values/access_classes.h"
#include "explore/values/rules.h"
#include "model/goal.h"

namespace ravel::values {

inline constexpr std::uint32_t kNone = 0xffffffffu;

enum class PointKind : std::uint8_t {
  kTrigger,  // before an access that somebody else's could precede
  kResume,   // a goal is fulfilled, the trigger has not gone on: further instances, further reads
  kBlocked,  // before an operation of a target's thread that cannot run: who can let it?
  kChoice,   // an operation with alternatives of its own
};

struct PointGoal {
  ClassId target = kNoClass;  // kChoice: the alternative
  std::uint32_t next = kNone;
  OrderKind kind = OrderKind::kOther;
  std::uint8_t releases = 0;
  std::uint8_t tried = 0;
  std::uint8_t out_of_order = 0;  // tried by a priority run
  // The trigger ended the program while the target's thread could have gone on: it does, as far as it can, before that.
  std::uint8_t before_end = 0;
};

struct Point {
  std::uint32_t depth = 0;
  std::uint32_t thread = 0;  // whose operation waits, by name
  ClassId access = kNoClass;
  PointKind kind = PointKind::kTrigger;
  GoalState outer_state = GoalState::kSeeking;  // of the goal below, here
  std::uint8_t enabled = 1;                     // the trigger could run
  std::uint8_t early = 1;                       // of the part that is searched first (focus.h)
  std::uint32_t outer = kNone;                  // the point whose goal is being fulfilled here
  std::uint32_t continues = kNone;              // kResume: the point whose goal was fulfilled
  std::uint32_t goals = kNone;                  // list
  std::uint32_t current = kNone;                // the goal in hand
  std::uint32_t reached = kNone;                // depth at which its target came
  std::uint32_t last = kNone;                   // ... and at which what it had entered was left
  std::uint32_t outer_inside = 0;               // of the goal below: how often its thread is inside what it entered
  ThreadIndex index = 0;                        // kChoice: of the thread, in the execution that the point is from
};

struct Choice {
  std::uint32_t thread = 0;  // name
  ThreadIndex index = 0;     // in the execution it comes from
  std::uint32_t choice = kNoChoice;
  std::uint32_t creates = kNone;  // name of the thread that it creates
};

class PointStack {
 public:
  static constexpr std::uint32_t kMostPoints = 1u << 17;
  static constexpr std::uint32_t kMostGoals = 1u << 20;

  PointStack(std::pmr::memory_resource& memory, Journal& journal)
      : journal_(journal),
        points_(static_cast<Point*>(memory.allocate(sizeof(Point) * kMostPoints, alignof(Point)))),
        goals_(static_cast<PointGoal*>(memory.allocate(sizeof(PointGoal) * kMostGoals, alignof(PointGoal)))) {}

  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] Point& operator[](std::uint32_t i) { return points_[i]; }
  [[nodiscard]] const Point& operator[](std::uint32_t i) const { return points_[i]; }
  [[nodiscard]] PointGoal& goal(std::uint32_t i) { return goals_[i]; }
  [[nodiscard]] const PointGoal& goal(std::uint32_t i) const { return goals_[i]; }

  // kNone: no room.
  std::uint32_t push(const Point& point) {
    if (count_ == kMostPoints) return kNone;
    points_[count_] = point;
    journal_.set(count_, count_ + 1);
    return count_ - 1;
  }
  void cut(std::uint32_t count) { journal_.set(count_, count); }
  // Goals of points that are gone are given back, but for those below `floor`: points lower down may have some there.
  void cut_goals_above(std::uint32_t floor) {
    std::uint32_t end = count_ == 0 ? 0 : floor;
    if (count_ != 0) {
      for (std::uint32_t g = points_[count_ - 1].goals; g != kNone; g = goals_[g].next) end = g >= end ? g + 1 : end;
    }
    if (end < goal_count_) journal_.set(goal_count_, end);
  }

  [[nodiscard]] bool has_goal(const Point& point, ClassId target) const {
    for (std::uint32_t g = point.goals; g != kNone; g = goals_[g].next) {
      if (goals_[g].target == target) return true;
    }
    return false;
  }
  // Appended. False: no room. Goals are given back all at once: by cut_goals.
  bool add_goal(Point& point, const PointGoal& goal) {
    if (goal_count_ == kMostGoals || !journal_.has_room(16)) return false;
    const std::uint32_t at = goal_count_;
    goals_[at] = goal;
    goals_[at].next = kNone;
    journal_.set(goal_count_, goal_count_ + 1);
    std::uint32_t* link = &point.goals;
    while (*link != kNone) link = &goals_[*link].next;
    journal_.set(*link, at);
    return true;
  }
  [[nodiscard]] std::uint32_t next_untried(const Point& point) const {
    for (std::uint32_t g = point.goals; g != kNone; g = goals_[g].next) {
      if (goals_[g].tried == 0) return g;
    }
    return kNone;
  }
  // Goals that were about one class are about another. False: no room.
  [[nodiscard]] bool retarget(ClassId from, ClassId to) {
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (points_[i].kind == PointKind::kChoice) continue;
      for (std::uint32_t g = points_[i].goals; g != kNone; g = goals_[g].next) {
        if (goals_[g].target != from) continue;
        if (!journal_.has_room(16)) return false;
        journal_.set(goals_[g].target, to);
      }
    }
    return true;
  }
  [[nodiscard]] std::uint32_t goal_count() const { return goal_count_; }
  void cut_goals(std::uint32_t count) { journal_.set(goal_count_, count); }

 private:
  Journal& journal_;
  Point* points_;
  PointGoal* goals_;
  std::uint32_t count_ = 0;
  std::uint32_t goal_count_ = 0;
};

}  // namespace ravel::values
