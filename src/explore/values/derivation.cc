// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/values/derivation.h"

#include "semantics/pending_form.h"

namespace ravel::values {

Derivation::Derivation(std::pmr::memory_resource& memory, const ExecutionView& view, const LearnedFacts& facts,
                       const StaticPairs& statics, const Focus& focus, const AccessClasses& classes, PointStack& points,
                       PointsMet& met)
    : view_(view),
      facts_(facts),
      statics_(statics),
      focus_(focus),
      classes_(classes),
      points_(points),
      met_(met),
      inside_(static_cast<Inside*>(memory.allocate(sizeof(Inside) * kMaxInside, alignof(Inside)))) {}

std::uint32_t Derivation::stack_at(std::uint32_t point, std::uint32_t* chain) const {
  std::uint32_t count = 0;
  for (std::uint32_t p = point; p != kNone && count < kMaxGoals; p = points_[p].outer) chain[count++] = p;
  for (std::uint32_t i = 0; i < count / 2; ++i) std::swap(chain[i], chain[count - 1 - i]);
  return count;
}

// The innermost goal is the one in hand, unless the point is about an alternative.
void Derivation::set_up(std::uint32_t from) {
  std::uint32_t chain[kMaxGoals];
  const std::uint32_t count = stack_at(from, chain);
  const bool choice = from != kNone && points_[from].kind == PointKind::kChoice;
  top_ = choice ? count - 1 : count;
  for (std::uint32_t i = top_; i-- > 0;) {
    const GoalState state = i + 1 < count ? points_[chain[i + 1]].outer_state : GoalState::kSeeking;
    const bool stands_by = i + 1 < top_ && frames_[i + 1].state == GoalState::kStandsBy;
    const std::uint32_t inside = i + 1 < count ? points_[chain[i + 1]].outer_inside : 0;
    frames_[i] = {chain[i], stands_by ? GoalState::kStandsBy : state, inside};
  }
}

bool Derivation::is_open() const {
  return top_ != 0 && frames_[top_ - 1].state != GoalState::kStandsBy;
}
bool Derivation::resumes(std::uint32_t thread) const {
  return is_open() && points_[frames_[top_ - 1].point].thread == thread;
}
// The top goal is what the step is for.
bool Derivation::serves(std::uint32_t thread) const {
  const Frame& frame = frames_[top_ - 1];
  return frame.state != GoalState::kReleased && drives(frame, thread);
}

Derived Derivation::take_in(std::uint32_t from, bool abandoned) {
  set_up(from);
  inside_count_ = tracked_ = 0;
  no_room_ = false;
  find_focus();
  const std::uint32_t begin = from == kNone ? 0 : points_[from].depth;
  const bool choice = from != kNone && points_[from].kind == PointKind::kChoice;
  path_ = 0;
  for (std::uint32_t depth = 0; depth < begin; ++depth) go_along(depth);
  for (std::uint32_t depth = begin; depth < view_.depth(); ++depth) {
    const bool known = choice && depth == begin;  // its points were made when the first alternative was run
    const std::uint32_t step = view_.step_at(depth);
    const std::uint32_t thread = view_.steps()[step].act.op.thread;
    follow(step);
    Move moved = Move::kOn;
    if (is_open() && !resumes(thread) && !serves(thread)) moved = give_way(depth);
    if (moved == Move::kOn) {
      if (!known && !resumes(thread)) make_trigger(depth);
      if (!known) make_choice(depth);
      moved = move(depth, known);
    }
    if (no_room_) return Derived::kNoRoom;
    if (moved != Move::kOn) return moved == Move::kDropped ? Derived::kDropped : Derived::kElsewhere;
    go_along(depth);
  }
  follow(view_.steps().count());
  const Derived derived = end(abandoned);
  return no_room_ ? Derived::kNoRoom : derived;
}

bool Derivation::block_at(std::uint32_t from) {
  set_up(from);
  inside_count_ = tracked_ = 0;
  no_room_ = false;
  path_ = 0;
  const std::uint32_t depth = points_[from].depth;
  for (std::uint32_t d = 0; d < depth; ++d) go_along(d);
  follow(view_.step_at(depth));
  wait_here(depth);
  return !no_room_;
}

void Derivation::go_along(std::uint32_t depth) {
  const Act& act = view_.steps()[view_.step_at(depth)].act;
  path_ = hash_combine(path_, act.op.thread + (std::uint64_t{act.choice} << 32));
}

// Somebody runs who is not on the stack: the goals are dropped, or their triggers wait for ever from here on.
Derivation::Move Derivation::give_way(std::uint32_t depth) {
  wait_here(depth);
  if (!all_reached()) return Move::kDropped;
  for (std::uint32_t i = 0; i < top_; ++i) {
    const bool was_waiting = frames_[i].state == GoalState::kStandsBy;
    frames_[i].state = GoalState::kStandsBy;
    const Point& point = points_[frames_[i].point];
    if (!was_waiting && (only_looked(point) || !goals_are_beside(point))) return Move::kElsewhere;
  }
  return Move::kOn;
}

// One step with the goals on the stack, as the policy took it. `known`: another alternative of a step that was taken
// before.
Derivation::Move Derivation::move(std::uint32_t depth, bool known) {
  const std::uint32_t step = view_.step_at(depth);
  if (resumes(view_.steps()[step].act.op.thread)) {
    if (const Move closed = close(depth, known); closed != Move::kOn) return closed;
  }
  if (disturbs_waiting(step)) return Move::kElsewhere;
  if (!is_open()) return Move::kOn;
  return advance(frames_[top_ - 1], depth);
}

Derivation::Move Derivation::advance(Frame& frame, std::uint32_t depth) {
  const std::uint32_t step = view_.step_at(depth);
  Point& point = points_[frame.point];
  const PointGoal& goal = goal_of(point);
  const OperationView& op = view_.steps()[step].act.op;
  const Step* trigger = trigger_of(point);
  if (op.thread != classes_[goal.target].thread || trigger == nullptr) return Move::kOn;
  const std::uint64_t place = entered_place(trigger->act.op);
  if (frame.state == GoalState::kReached) {
    if (op.kind == OpKind::kCondWait && (rules_off & kOffWaitReleases) != 0) return Move::kOn;
    frame.inside = inside_after(frame.inside, place, as_pending(op));
    if (frame.inside != 0) return Move::kOn;
    frame.state = GoalState::kReleased;
    point.last = depth;
  } else if (is_target(frame, step)) {
    frame.state = goal.releases != 0 ? GoalState::kReached : GoalState::kReleased;
    point.reached = point.last = depth;
    frame.inside = 1;
    if (goal.releases != 0 && !has_entered(op)) make_again(depth + 1);
  } else if (leaves(classes_[goal.target].kind) && point.enabled == 0 && leaves(op.kind) &&
             entered_place(op) == place && times_inside(op.thread, op) == 1) {
    return Move::kElsewhere;  // the trigger waits for this one; behind it an entry is the target
  }
  return Move::kOn;
}

// The trigger of the top goal is executed. What else could come before it does not depend on its alternatives.
Derivation::Move Derivation::close(std::uint32_t depth, bool known) {
  const Frame frame = frames_[top_ - 1];
  if (frame.state == GoalState::kSeeking) return Move::kDropped;
  const std::uint32_t step = view_.step_at(depth);
  --top_;
  if (view_.steps()[step].chosen && !known) make_resume(depth, view_.steps()[step], view_.class_of(step), true);
  return comes_directly_before(points_[frame.point], step) ? Move::kOn : Move::kElsewhere;
}

// What the goals of one trigger were about is not ordered among each other: else the last one alone is the goal. Of
// several instances that one thread executed only the last counts.
bool Derivation::goals_are_beside(const Point& point) const {
  const auto thread_of = [&](const Point& one) { return classes_[goal_of(one).target].thread; };
  for (const Point* at = &point;; at = &points_[at->continues]) {
    const Point* above = at;
    for (std::uint32_t p = at->continues; p != kNone && at->last != kNone; p = points_[p].continues) {
      const Point& before = points_[p];
      const bool last_of_thread = thread_of(before) != thread_of(*above);
      above = &before;
      if (last_of_thread && before.last != kNone &&
          view_.steps().is_before(view_.step_at(before.last), view_.step_at(at->last))) {
        return false;
      }
    }
    while (at->continues != kNone && thread_of(points_[at->continues]) == thread_of(*at)) at = &points_[at->continues];
    if (at->continues == kNone) return true;
  }
}

// An entry that failed is over at once. What was left must have been entered before: then that is the target.
bool Derivation::went_past(const Point& point, std::uint32_t step) const {
  if (point.reached != kNone && point.enabled != 0 && leaves(classes_[goal_of(point).target].kind)) {
    const Step& trigger = view_.steps()[step];
    const bool failed = (view_.steps()[view_.step_at(point.reached)].act.op.bits & kFailed) != 0;
    if (!failed && has_to_wait({trigger, true, timed_at_will(trigger)})) return true;
  }
  if (point.reached == kNone || goal_of(point).releases == 0) return false;
  const std::uint32_t reached = view_.step_at(point.reached);
  if (has_entered(view_.steps()[reached].act.op)) return false;
  const ExecutionView::Position next = view_.position(view_.steps()[reached].act.op.thread, reached + 1);
  return next.step != nullptr && !next.pending && next.step < &view_.steps()[step];
}

// All that was executed since the trigger began to wait happens before it.
bool Derivation::comes_directly_before(const Point& point, std::uint32_t step) const {
  const Point* first = &point;
  while (first->continues != kNone) first = &points_[first->continues];
  for (std::uint32_t d = first->depth; view_.step_at(d) < step; ++d) {
    if (!view_.steps().is_before(view_.step_at(d), step)) return false;
  }
  return goals_are_beside(point) && !went_past(point, step);
}

bool Derivation::all_reached() const {
  if ((rules_off & kOffForEver) != 0) return false;
  for (std::uint32_t i = 0; i < top_; ++i) {
    if (frames_[i].state == GoalState::kSeeking) return false;
  }
  return true;
}

bool Derivation::looks_only(const OperationView& op) {
  const bool queues = op.kind == OpKind::kRwTryWriteLock && (op.value & kQueued) != 0;
  const bool found_done = op.kind == OpKind::kOnceBegin && op.value == kOnceDone;
  return ((op.bits & kFailed) != 0 && !queues) || op.kind == OpKind::kSemValue || found_done;
}
bool Derivation::only_looked(const Point& point) const {
  if (point.reached == kNone) return false;
  const Act& target = view_.steps()[view_.step_at(point.reached)].act;
  const Step* trigger = trigger_of(point);
  return looks_only(target.op) ||
         (trigger != nullptr && !target.ends && !dependence_rule(target.op, as_pending(trigger->act.op)));
}

// The trigger as it will be executed, or never.
const Step* Derivation::trigger_of(const Point& point) const {
  return view_.position(point.thread, view_.step_at(point.depth)).step;
}

// Who waits for ever is not touched any more: else it would be about another target.
bool Derivation::disturbs_waiting(std::uint32_t step) const {
  const OperationView& op = view_.steps()[step].act.op;
  for (std::uint32_t i = 0; i < top_ && frames_[i].state == GoalState::kStandsBy; ++i) {
    const Point& point = points_[frames_[i].point];
    if (op.thread == point.thread) return true;
    const Step* trigger = trigger_of(point);
    if (trigger != nullptr && !looks_only(op) && dependence_rule(op, as_pending(trigger->act.op))) return true;
  }
  return false;
}

bool Derivation::drives(const Frame& frame, std::uint32_t thread) const {
  const std::uint32_t target = classes_[goal_of(points_[frame.point]).target].thread;
  return thread == target || view_.creates(thread, target);
}

bool Derivation::is_target(const Frame& frame, std::uint32_t step) const {
  const Point& point = points_[frame.point];
  const AccessClass& target = classes_[goal_of(point).target];
  const Act& done = view_.steps()[step].act;
  const bool of_class = target.assumed != 0 ? done.op.thread == target.thread && done.op.location == target.location
                                            : view_.class_of(step) == goal_of(point).target;
  if (!of_class) return false;
  const Step* trigger = trigger_of(point);
  if (trigger == nullptr || goal_of(point).before_end != 0) return false;
  return done.ends || may_depend(done.op, trigger->act.op);
}

// The goal on top cannot go on here: what its thread, or the trigger, would need becomes a point.
void Derivation::wait_here(std::uint32_t depth) {
  if ((rules_off & kOffBlocked) != 0) return;
  const Frame& frame = frames_[top_ - 1];
  const Point& point = points_[frame.point];
  const bool kept = frame.state == GoalState::kReleased;
  const std::uint32_t at = view_.step_at(depth);
  if (kept) {
    const ExecutionView::Position trigger = view_.position(point.thread, at);
    if (trigger.step == nullptr) return;
    --top_;
    make_resume(depth, *trigger.step, trigger.access, false);
    ++top_;
    return;
  }
  const std::uint32_t driver = view_.driver(classes_[goal_of(point).target].thread, at);
  const ExecutionView::Position next = view_.position(driver, at);
  if (next.step != nullptr) make_blocked(depth, *next.step, next.access);
}

Derived Derivation::end(bool abandoned) {
  const std::uint32_t depth = view_.depth();
  if (top_ == 0 || frames_[top_ - 1].state == GoalState::kStandsBy) {
    return abandoned ? Derived::kDropped : Derived::kWhole;
  }
  const Move moved = give_way(depth);
  if (abandoned || moved == Move::kDropped) return Derived::kDropped;
  return moved == Move::kOn ? Derived::kWhole : Derived::kElsewhere;
}

}  // namespace ravel::values
