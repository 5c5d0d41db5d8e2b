// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/values/plan_of_point.h"

namespace ravel::values {

PlanOfPoint::PlanOfPoint(std::pmr::memory_resource& memory, const PointStack& points, const AccessClasses& classes,
                         const StaticPairs& statics, const ThreadLines& lines)
    : points_(points),
      classes_(classes),
      statics_(statics),
      lines_(lines),
      path_(static_cast<Choice*>(memory.allocate(sizeof(Choice) * ExecutionView::kMaxDepth, alignof(Choice)))),
      indices_(
          static_cast<ThreadIndex*>(memory.allocate(sizeof(ThreadIndex) * ThreadNames::kMost, alignof(ThreadIndex)))) {}

void PlanOfPoint::keep_path(const ExecutionView& view) {
  length_ = view.depth();
  for (std::uint32_t d = 0; d < length_; ++d) {
    const Step& step = view.steps()[view.step_at(d)];
    const bool creates = step.act.op.kind == OpKind::kThreadCreate;
    path_[d] = {step.act.op.thread, step.column, step.act.choice,
                creates ? static_cast<std::uint32_t>(step.act.op.value) : kNone};
  }
}

bool PlanOfPoint::fits(const ExecutionView& view, std::uint32_t depth) const {
  if (view.depth() < depth) return false;
  for (std::uint32_t d = 0; d < depth; ++d) {
    const Act& act = view.steps()[view.step_at(d)].act;
    if (act.op.thread != path_[d].thread || act.choice != path_[d].choice) return false;
  }
  return true;
}

// Threads created on the path are numbered in that order; of others the number is remembered.
ThreadIndex PlanOfPoint::index_of(const Choice& choice, ThreadIndex created) const {
  if (created == 0 || choice.thread >= ThreadNames::kMost) return choice.index;
  const ThreadIndex index = indices_[choice.thread];
  return index != 0 && index <= created ? index : choice.index;
}

void PlanOfPoint::write(PlanWriter& plan, std::uint32_t at) {
  const Point& point = points_[at];
  std::uint32_t segments = 0;
  const auto put = [&](std::uint32_t choice) {
    if (segments != 0 && plan.prefix[segments - 1].thread == choice) {
      ++plan.prefix[segments - 1].count;
    } else {
      plan.prefix[segments++] = {choice, 1};
    }
  };
  const bool chooses = point.kind == PointKind::kChoice;
  ThreadIndex created = 0;
  for (std::uint32_t d = 0; d < point.depth; ++d) {
    const Choice& choice = path_[d];
    put(index_of(choice, created));
    if (choice.choice != kNoChoice) put(kDataChoice | choice.choice);
    if (choice.creates < ThreadNames::kMost) indices_[choice.creates] = ++created;
  }
  // What is behind the point is another execution's by now.
  if (chooses) put(index_of({point.thread, point.index, kNoChoice, kNone}, created));
  if (chooses) put(kDataChoice | points_.goal(point.current).target);
  plan.spec.prefix_segments = segments;
  plan.spec.goals.from = chooses ? 2 : 0;
  plan.spec.goals.reach = statics_.reach_is_used() ? 1 : 0;
  write_goals(plan, at);
}

void PlanOfPoint::write_goals(PlanWriter& plan, std::uint32_t at) const {
  std::uint32_t chain[kMaxGoals];
  std::uint32_t count = 0;
  const bool chooses = points_[at].kind == PointKind::kChoice;
  GoalState state = chooses ? points_[at].outer_state : GoalState::kSeeking;
  std::uint32_t inside = chooses ? points_[at].outer_inside : 0;
  for (std::uint32_t p = chooses ? points_[at].outer : at; p != kNone && count < kMaxGoals; p = points_[p].outer) {
    chain[count++] = p;
  }
  plan.spec.goals.count = count;
  for (std::uint32_t i = 0; i < count; ++i) {
    Goal& goal = plan.goals[count - 1 - i] = goal_at(points_[chain[i]], state);
    goal.inside = static_cast<std::uint8_t>(inside);
    inside = points_[chain[i]].outer_inside;
    if (state != GoalState::kStandsBy) state = points_[chain[i]].outer_state;
  }
}

Goal PlanOfPoint::goal_at(const Point& point, GoalState state) const {
  const PointGoal& in_hand = points_.goal(point.current);
  const AccessClass& target = classes_[in_hand.target];
  Goal goal;
  goal.trigger = lines_[point.thread].name;
  goal.target = lines_[target.thread].name;
  std::uint32_t creator = lines_[target.thread].creator;
  for (LastingName& name : goal.creators) {
    if (!lines_.is_known(creator)) break;
    name = lines_[creator].name;
    creator = lines_[creator].creator;
  }
  goal.place = target.location;
  goal.user_place = statics_.user_place(in_hand.target);
  goal.context = target.context;
  goal.kind = target.assumed != 0 ? OpKind::kNone : target.kind;
  goal.releases = in_hand.releases;
  goal.state = state;
  return goal;
}

}  // namespace ravel::values
