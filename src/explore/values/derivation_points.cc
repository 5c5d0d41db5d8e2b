// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Derivation: the points of an execution and their goals.
#include "explore/values/derivation.h"

namespace ravel::values {

// Who is inside what, before `step`.
void Derivation::follow(std::uint32_t step) {
  for (; tracked_ < step && tracked_ < view_.steps().count(); ++tracked_) {
    const OperationView& op = view_.steps()[tracked_].act.op;
    const bool in = has_entered(op);
    if (!in && !leaves(op.kind)) continue;
    std::uint32_t at = 0;
    while (at < inside_count_ && (inside_[at].place != entered_place(op) || inside_[at].thread != op.thread)) ++at;
    if (in) {
      if (at == inside_count_ && inside_count_ < kMaxInside)
        inside_[inside_count_++] = {entered_place(op), op.thread, 0};
      if (at < inside_count_) ++inside_[at].times;
    } else if (at < inside_count_ && --inside_[at].times == 0) {
      inside_[at] = inside_[--inside_count_];
    }
  }
}

std::uint32_t Derivation::times_inside(std::uint32_t thread, const OperationView& op) const {
  for (std::uint32_t i = 0; i < inside_count_; ++i) {
    if (inside_[i].thread == thread && inside_[i].place == entered_place(op)) return inside_[i].times;
  }
  return 0;
}
bool Derivation::is_inside(std::uint32_t thread, const OperationView& op) const {
  return times_inside(thread, op) != 0;
}

bool Derivation::timed_at_will(const Step& step) const {
  const OpKind kind = step.act.op.kind;
  return view_.steps().adversarial() && !is_memory_access(kind) && kind != OpKind::kFutexWait &&
         (step.operand & 1) != 0;
}

// The thread is the point's own, or one whose operation waits for a goal.
bool Derivation::on_stack(const Point& point, std::uint32_t thread) const {
  if (point.thread == thread) return true;
  if ((rules_off & kOffOnTheStack) != 0) return false;
  for (std::uint32_t p = point.outer; p != kNone; p = points_[p].outer) {
    if (points_[p].thread == thread) return true;
  }
  return false;
}

// A lock that somebody on the stack is inside, or the end of such a thread: nothing can come of it.
bool Derivation::is_kept_out(const Point& point, const Step& next) const {
  if (next.act.op.kind == OpKind::kThreadJoin) return on_stack(point, static_cast<std::uint32_t>(next.act.op.value));
  const Trigger trigger{next, false, timed_at_will(next)};
  if (!has_to_wait(trigger) || family_of(next.act.op.kind) == OpFamily::kRw) return false;
  for (std::uint32_t i = 0; i < inside_count_; ++i) {
    if (inside_[i].place == entered_place(next.act.op) && inside_[i].thread != next.act.op.thread &&
        on_stack(point, inside_[i].thread)) {
      return true;
    }
  }
  return false;
}

// What a thread does behind it is the same whatever others do: it takes in nothing of theirs.
static bool only_gives(const Step& step) {
  if (step.act.ends) return false;
  switch (step.act.op.kind) {
    case OpKind::kThreadStart:
    case OpKind::kThreadCreate:
    case OpKind::kMutexUnlock:
    case OpKind::kCondSignal:
    case OpKind::kCondBroadcast:
    case OpKind::kSemPost:
    case OpKind::kWrite:
    case OpKind::kAtomicStore:
      return true;
    default:
      return false;
  }
}

// On its way to the target, before it can see anything of what others do, the thread comes to what the stack is inside.
// kNoClass: whatever the target is.
bool Derivation::will_be_kept_out(const Point& point, ExecutionView::Position next, ClassId target) const {
  while (next.step != nullptr) {
    const bool there =
        target != kNoClass && (classes_[target].assumed != 0 ? next.step->act.op.location == classes_[target].location
                                                             : next.access == target);
    if (is_kept_out(point, *next.step)) return true;
    if (there || next.pending || (rules_off & kOffLookAhead) != 0 || !only_gives(*next.step)) return false;
    next = view_.behind(next);
  }
  return false;
}

const Derivation::Standing& Derivation::standing_of(const Point& point, std::uint32_t thread, std::uint32_t at) {
  Standing& one = standings_[thread % kStandings];
  if (one.thread == thread) return one;
  one = {};
  one.thread = thread;
  one.driver = view_.driver(thread, at);
  if (one.driver == kNone || on_stack(point, one.driver) || on_stack(point, thread)) return one;
  one.next = view_.position(one.driver, at);
  one.can_run = one.next.step != nullptr && !is_kept_out(point, *one.next.step);
  one.kept_out = one.can_run && will_be_kept_out(point, one.next, kNoClass);
  return one;
}

// False: whatever the goal is, its thread cannot. Of many threads nothing is known before each goal asks for its own.
bool Derivation::can_anybody_run(const Point& point, std::uint32_t at) {
  if (view_.threads() > kStandings) return true;
  for (std::uint32_t thread = 0; thread < view_.threads(); ++thread) {
    if (standing_of(point, thread, at).can_run) return true;
  }
  return false;
}

// The target's thread, or who creates it, may go on and can still get there.
bool Derivation::can_run(const Point& point, std::uint32_t thread, std::uint32_t at, ClassId target) {
  const Standing& there = standing_of(point, thread, at);
  if (!there.can_run || (there.kept_out && will_be_kept_out(point, there.next, target))) return false;
  if (there.driver != thread || facts_.reaches(there.next.access, target)) return true;
  // The code graph is needed for what nobody has seen; the ways to what was seen were seen, too.
  return classes_[target].assumed != 0 && statics_.may_reach(there.next.access, target);
}

// The subset rule: of what comes directly before a trigger the order among each other does not matter.
bool Derivation::may_be_beside(const Point& point, const Step& trigger, ClassId target) const {
  if ((rules_off & kOffSubset) != 0) return false;
  const Point& before = points_[point.continues];
  const ClassId last = goal_of(before).target;
  const auto holds = [](OpKind kind) { return (enters(kind) || leaves(kind)) && family_of(kind) != OpFamily::kRw; };
  const bool one_at_a_time = has_to_wait({trigger, true, timed_at_will(trigger)}) && holds(classes_[last].kind) &&
                             holds(classes_[target].kind);
  if (!one_at_a_time && may_be_unordered(classes_[target].kind, classes_[last].kind)) return true;
  // Of a wide access two others may touch different parts.
  const bool memory = is_memory_access(classes_[target].kind) && is_memory_access(classes_[last].kind);
  if (!memory || before.reached == kNone) return false;
  return !facts_.is_pair(target, last) ||
         view_.steps()[view_.step_at(before.reached)].act.op.size < trigger.act.op.size;
}

// Who waits for what the trigger is about to leave comes behind it, whatever happens.
bool Derivation::waits_for(const Point& point, const Step& trigger, OpKind target) const {
  const bool waits = target == OpKind::kMutexLock || target == OpKind::kCondReacquire || target == OpKind::kOnceBegin;
  return waits && leaves(trigger.act.op.kind) && !view_.steps().adversarial() &&
         is_inside(point.thread, trigger.act.op);
}

// Whatever the thread would still do, its failures above all, is hidden by the end of the program.
bool Derivation::add_goal_before_end(Point& point, ClassId target, std::uint32_t at) {
  const std::uint32_t thread = classes_[target].thread;
  if (point.kind != PointKind::kTrigger || !can_run(point, thread, at, target)) return true;
  for (std::uint32_t g = point.goals; g != kNone; g = points_.goal(g).next) {
    if (points_.goal(g).before_end != 0 && classes_[points_.goal(g).target].thread == thread) return true;
  }
  return points_.add_goal(point, {target, kNone, OrderKind::kOther, 0, 0, 0, 1});
}

bool Derivation::add_goal_for(Point& point, const Step& trigger, bool enabled, ClassId target, std::uint32_t at) {
  const AccessClass& access = classes_[target];
  if (!standing_of(point, access.thread, at).can_run) return true;
  const bool meets = access.assumed != 0 || facts_.meets(target, access.kind, trigger);
  if (trigger.act.ends && access.assumed == 0 && (!meets || family_of(access.kind) != family_of(trigger.act.op.kind))) {
    return add_goal_before_end(point, target, at);
  }
  if (!meets) return true;
  if (!can_run(point, access.thread, at, target) || points_.has_goal(point, target)) return true;
  if (waits_for(point, trigger, access.kind)) return true;
  const Trigger waits{trigger, enabled, timed_at_will(trigger)};
  const Ruling ruling =
      rule_for(waits, {access.kind, is_inside(access.thread, trigger.act.op), facts_.may_fail(target)});
  if (!ruling.allowed) return true;
  if (point.kind == PointKind::kResume) {
    const ClassId last = goal_of(points_[point.continues]).target;
    const bool again = access.thread == classes_[last].thread;
    if (again && (target != last || (rules_off & kOffDedicated) != 0)) return true;
    // Behind what a lock waited for an entry is the target; a try-lock sees each time that somebody leaves.
    if (again &&
        (!facts_.comes_again(last, access.kind, trigger) || (leaves(access.kind) && enabled && has_to_wait(waits))))
      return true;
    if (!again && (access.thread < classes_[last].thread || !may_be_beside(point, trigger, target))) return true;
  }
  return points_.add_goal(point,
                          {target, kNone, ruling.kind, static_cast<std::uint8_t>(ruling.releases ? 1 : 0), 0, 0, 0});
}

void Derivation::add_goals(Point& point, const Step& trigger, bool enabled, std::uint32_t depth) {
  const std::uint32_t at = view_.step_at(depth);
  forget_standings();
  if (!can_anybody_run(point, at)) return;
  const auto add = [&](ClassId target) {
    if (!add_goal_for(point, trigger, enabled, target, at)) no_room_ = true;
  };
  // Pairs that are about one object for certain come first; then what was seen to conflict; then what nobody has seen.
  if (statics_.has_must(point.access)) {
    facts_.visit_partners(point.access, classes_.count(), [&](ClassId target) {
      if (statics_.is_must(point.access, target)) add(target);
    });
  }
  facts_.visit_partners(point.access, classes_.count(), add);
  statics_.visit_partners(point.access, add);
}

void Derivation::find_focus() {
  focus_depth_ = kNone;
  for (std::uint32_t d = 0; focus_.any() && d < view_.depth() && focus_depth_ == kNone; ++d) {
    if (focus_.is_about(view_.class_of(view_.step_at(d)))) focus_depth_ = d;
  }
}

bool Derivation::is_early(const Point& point) const {
  if (!focus_.any()) return true;
  if (!focus_.of_variable()) return focus_depth_ == kNone || point.depth <= focus_depth_;
  if (point.kind == PointKind::kResume) return points_[point.continues].early != 0;
  return point.kind != PointKind::kTrigger || focus_.is_about(point.access);
}

void Derivation::push_with_goals(const Point& point, const Step& trigger, bool enabled, std::uint32_t depth,
                                 ClassId only) {
  const bool early = is_early(point);
  if (!early && leaves_out_late_) return;
  const std::uint32_t at = points_.push(point);
  if (at == kNone) {
    no_room_ = true;
    return;
  }
  points_[at].enabled = enabled ? 1 : 0;
  points_[at].early = early ? 1 : 0;
  forget_standings();
  if (only == kNoClass) {
    add_goals(points_[at], trigger, enabled, depth);
  } else {
    no_room_ = !add_goal_for(points_[at], trigger, enabled, only, view_.step_at(depth)) || no_room_;
  }
  if (points_[at].goals == kNone) {
    points_.cut(at);
  } else {
    ++made_;
    met_.add(path_, point, point.continues == kNone ? kNoClass : goal_of(points_[point.continues]).target);
  }
}

void Derivation::put_on_top(Point& point) const {
  if (top_ == 0) return;
  point.outer = frames_[top_ - 1].point;
  point.outer_state = frames_[top_ - 1].state;
  point.outer_inside = frames_[top_ - 1].inside;
}

bool Derivation::is_of_slice(ClassId access) const {
  return slices_ == nullptr || slices_->slice_of(access) == slice_;
}

void Derivation::make_trigger(std::uint32_t depth) {
  const std::uint32_t step = view_.step_at(depth);
  if (!view_.steps()[step].chosen || !is_of_slice(view_.class_of(step))) return;  // nobody else could run
  Point point;
  point.depth = depth;
  point.thread = view_.steps()[step].act.op.thread;
  point.access = view_.class_of(step);
  put_on_top(point);
  push_with_goals(point, view_.steps()[step], true, depth);
}

void Derivation::make_choice(std::uint32_t depth) {
  const Step& step = view_.steps()[view_.step_at(depth)];
  if (step.options < 2 || !is_of_slice(view_.class_of(view_.step_at(depth)))) return;
  Point point;
  point.depth = depth;
  point.thread = step.act.op.thread;
  point.index = step.column;
  point.kind = PointKind::kChoice;
  put_on_top(point);
  point.early = is_early(point) ? 1 : 0;
  if (point.early == 0 && leaves_out_late_) return;
  const std::uint32_t at = points_.push(point);
  for (std::uint32_t i = 0; i < step.options && at != kNone; ++i) {
    if (i == step.act.choice) continue;
    no_room_ = !points_.add_goal(points_[at], {i, kNone, OrderKind::kOther, 0, 0, 0, 0}) || no_room_;
  }
  no_room_ = no_room_ || at == kNone;
}

// The top goal was just taken off the stack.
void Derivation::make_resume(std::uint32_t depth, const Step& trigger, ClassId access, bool enabled) {
  Point point;
  point.depth = depth;
  point.thread = trigger.act.op.thread;
  point.access = access;
  point.kind = PointKind::kResume;
  point.continues = frames_[top_].point;
  put_on_top(point);
  push_with_goals(point, trigger, enabled, depth);
}

// The target was an entry that failed, so the trigger still waits for whoever is inside; a later instance of the same
// entry may be what it waits for instead.
void Derivation::make_again(std::uint32_t depth) {
  const Point& before = points_[frames_[top_ - 1].point];
  const ExecutionView::Position trigger = view_.position(before.thread, view_.step_at(depth));
  if (trigger.step == nullptr) return;
  Point point;
  point.depth = depth;
  point.thread = trigger.step->act.op.thread;
  point.access = trigger.access;
  point.kind = PointKind::kResume;
  point.continues = frames_[top_ - 1].point;
  const ClassId target = goal_of(before).target;
  --top_;
  put_on_top(point);
  ++top_;
  push_with_goals(point, *trigger.step, false, depth, target);
}

void Derivation::make_blocked(std::uint32_t depth, const Step& step, ClassId access) {
  Point point;
  point.depth = depth;
  point.thread = step.act.op.thread;
  point.access = access;
  point.kind = PointKind::kBlocked;
  put_on_top(point);
  push_with_goals(point, step, false, depth);
}

// With what was learned meanwhile. The present execution runs through all points of its path.
bool Derivation::refresh() {
  no_room_ = false;
  inside_count_ = tracked_ = 0;
  for (std::uint32_t i = 0; i < points_.count(); ++i) {
    Point& point = points_[i];
    if (point.kind == PointKind::kChoice) continue;
    const std::uint32_t at = view_.step_at(point.depth);
    if (at < tracked_) inside_count_ = tracked_ = 0;
    follow(at);
    const ExecutionView::Position trigger = view_.position(point.thread, at);
    if (trigger.step == nullptr) continue;
    add_goals(point, *trigger.step, point.enabled != 0, point.depth);
  }
  return !no_room_;
}

}  // namespace ravel::values
