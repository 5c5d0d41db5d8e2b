// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Derivation: what one execution means to the search. It goes along the steps behind the prefix with the goals on the
// stack, as policy `fulfil' did, and makes the points: before each access that another thread's could precede (rule 2),
// where a goal was fulfilled and could have been fulfilled later, where a target's thread could not go on.
//
// Each value schedule has one derivation. Of a trigger s that has to wait, the goals fulfilled before it are what comes
// directly before s, in the order of their threads, and all that is executed meanwhile happens before s. Where that
// does not hold the execution belongs to another derivation, and is left there.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "explore/values/execution_view.h"
#include "explore/values/focus.h"
#include "explore/values/learned_facts.h"
#include "explore/values/points.h"
#include "explore/values/points_met.h"
#include "explore/values/slices_apart.h"
#include "explore/values/static_pairs.h"

namespace ravel::values {

// How an execution came out.
enum class Derived : std::uint8_t {
  kWhole,      // a value schedule of its own
  kDropped,    // a goal was dropped
  kElsewhere,  // another derivation has it
  kNoRoom,
};

class Derivation {
 public:
  Derivation(std::pmr::memory_resource& memory, const ExecutionView& view, const LearnedFacts& facts,
             const StaticPairs& statics, const Focus& focus, const AccessClasses& classes, PointStack& points,
             PointsMet& met);

  // Whether points that are not early are left out.
  void leave_out_late(bool leave_out) { leaves_out_late_ = leave_out; }
  // Only before accesses of one slice are there points; kNoClass: before all.
  void keep_to(const SlicesApart* slices, ClassId slice) {
    slices_ = slices;
    slice_ = slice;
  }
  // The execution that was run from point `from` (kNone: from the start), whose goal in hand is tried.
  Derived take_in(std::uint32_t from, bool abandoned);
  // The goal in hand of this point could not begin to be run: nothing but what its thread waits for would come of it.
  // The last execution runs through the point. False: no room.
  bool block_at(std::uint32_t from);
  // Goals that points on the stack would have had, had the facts been known. False: no room.
  bool refresh();
  // Goals of the stack that a plan begins with. Yields how many.
  std::uint32_t stack_at(std::uint32_t point, std::uint32_t* chain) const;

  [[nodiscard]] std::uint64_t points_made() const { return made_; }
  // ... without those that a search before had made.
  [[nodiscard]] std::uint64_t points_met() const { return met_.count(); }
  // The last execution has an access that is in focus.
  [[nodiscard]] bool is_in_focus() const { return focus_depth_ != kNone; }

 private:
  struct Frame {
    std::uint32_t point = kNone;
    GoalState state = GoalState::kSeeking;
    std::uint32_t inside = 0;
  };
  // Locks and the like, by who is inside.
  struct Inside {
    std::uint64_t place = 0;
    std::uint32_t thread = 0;
    std::uint32_t times = 0;
  };
  static constexpr std::uint32_t kMaxInside = 256;

  // Of a thread at the point whose goals are added: what does not depend on the goal.
  struct Standing {
    std::uint32_t thread = kNone;
    std::uint32_t driver = kNone;
    ExecutionView::Position next;
    bool can_run = false;
    bool kept_out = false;  // further on, before it can see anything of what others do
  };
  static constexpr std::uint32_t kStandings = 8;

  enum class Move : std::uint8_t { kOn, kDropped, kElsewhere };
  Move move(std::uint32_t depth, bool known);
  Move close(std::uint32_t depth, bool known);
  Move give_way(std::uint32_t depth);
  Derived end(bool abandoned);
  void set_up(std::uint32_t from);
  Move advance(Frame& frame, std::uint32_t depth);
  void follow(std::uint32_t step);
  void go_along(std::uint32_t depth);
  void wait_here(std::uint32_t depth);
  void make_trigger(std::uint32_t depth);
  void make_choice(std::uint32_t depth);
  void make_resume(std::uint32_t depth, const Step& trigger, ClassId access, bool enabled);
  void make_again(std::uint32_t depth);
  void make_blocked(std::uint32_t depth, const Step& step, ClassId access);
  void add_goals(Point& point, const Step& trigger, bool enabled, std::uint32_t depth);
  bool add_goal_before_end(Point& point, ClassId target, std::uint32_t at);
  bool add_goal_for(Point& point, const Step& trigger, bool enabled, ClassId target, std::uint32_t at);
  [[nodiscard]] bool may_be_beside(const Point& point, const Step& trigger, ClassId target) const;
  void find_focus();
  [[nodiscard]] bool is_early(const Point& point) const;
  [[nodiscard]] bool is_of_slice(ClassId access) const;
  // `only`: goals on this class alone; kNoClass: on any.
  void push_with_goals(const Point& point, const Step& trigger, bool enabled, std::uint32_t depth,
                       ClassId only = kNoClass);
  [[nodiscard]] bool on_stack(const Point& point, std::uint32_t thread) const;
  [[nodiscard]] bool can_run(const Point& point, std::uint32_t thread, std::uint32_t at, ClassId target);
  [[nodiscard]] bool waits_for(const Point& point, const Step& trigger, OpKind target) const;
  [[nodiscard]] bool is_kept_out(const Point& point, const Step& next) const;
  [[nodiscard]] bool will_be_kept_out(const Point& point, ExecutionView::Position next, ClassId target) const;
  void forget_standings() {
    for (Standing& one : standings_) one.thread = kNone;
  }
  const Standing& standing_of(const Point& point, std::uint32_t thread, std::uint32_t at);
  bool can_anybody_run(const Point& point, std::uint32_t at);
  [[nodiscard]] std::uint32_t times_inside(std::uint32_t thread, const OperationView& op) const;
  [[nodiscard]] bool is_inside(std::uint32_t thread, const OperationView& op) const;
  [[nodiscard]] bool drives(const Frame& frame, std::uint32_t thread) const;
  [[nodiscard]] bool is_target(const Frame& frame, std::uint32_t step) const;
  [[nodiscard]] bool all_reached() const;
  void put_on_top(Point& point) const;
  [[nodiscard]] bool is_open() const;
  [[nodiscard]] bool resumes(std::uint32_t thread) const;
  [[nodiscard]] bool serves(std::uint32_t thread) const;
  [[nodiscard]] bool only_looked(const Point& point) const;
  static bool looks_only(const OperationView& op);
  [[nodiscard]] bool disturbs_waiting(std::uint32_t step) const;
  [[nodiscard]] const Step* trigger_of(const Point& point) const;
  [[nodiscard]] bool goals_are_beside(const Point& point) const;
  [[nodiscard]] bool went_past(const Point& point, std::uint32_t step) const;
  [[nodiscard]] bool comes_directly_before(const Point& point, std::uint32_t step) const;
  [[nodiscard]] const PointGoal& goal_of(const Point& point) const { return points_.goal(point.current); }
  [[nodiscard]] bool timed_at_will(const Step& step) const;

  const ExecutionView& view_;
  const LearnedFacts& facts_;
  const StaticPairs& statics_;
  const Focus& focus_;
  const AccessClasses& classes_;
  PointStack& points_;
  PointsMet& met_;
  const SlicesApart* slices_ = nullptr;
  ClassId slice_ = kNoClass;
  Frame frames_[kMaxGoals];
  Standing standings_[kStandings];
  std::uint32_t top_ = 0;
  Inside* inside_;
  std::uint32_t inside_count_ = 0;
  std::uint32_t tracked_ = 0;  // steps that `inside_` knows
  std::uint64_t made_ = 0;
  std::uint64_t path_ = 0;             // hash of the choices so far
  std::uint32_t focus_depth_ = kNone;  // of the first access in focus
  bool leaves_out_late_ = false;
  bool no_room_ = false;
};

}  // namespace ravel::values
