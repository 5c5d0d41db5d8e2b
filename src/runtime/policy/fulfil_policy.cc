// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Fulfil: the goals of the plan, the last one first (model/goal.h; Chen, "Value-schedule-based testing", 2009). The
// thread of the target runs until the target is executed on the very place that the trigger is about to use; where it
// has taken what the trigger needs it runs on until that is released; then the trigger's operation is executed, and the
// goal below goes on. When no goal is left nobody is interrupted (run-on).
//
// A goal is dropped, and the execution with it, as soon as its thread can neither run nor be waited for, or there is no
// way to the target any more by the static code graph (model/reach.h), from where the thread stands. Unless all
// targets on the stack have come and no trigger can go on: then this is where they wait for ever, and the others run
// on.
#include "base/hash.h"
#include "base/invariant.h"
#include "base/large_table.h"
#include "runtime/policy/goal_seat.h"
#include "runtime/policy/policies.h"
#include "runtime/policy/run_on_order.h"
#include "semantics/entries.h"
#include "semantics/pending_form.h"

namespace ravel {

namespace {

constexpr std::uint32_t kMostYields = 8;  // of a target's thread, each after many steps or in a loop that waits
constexpr std::uint32_t kMostCalls = 64;

// What was asked before: whether a place can be reached from an operation in a calling context. Contexts last as long
// as the process, and facts as long as the campaign.
class ReachCache {
 public:
  void begin(std::uint64_t facts) {
    if (facts == facts_) return;
    for (Entry& entry : entries_) entry = {};
    facts_ = facts;
  }
  // Where the answer is, or goes.
  Reach* find(std::uint64_t key, bool& known) {
    Entry& entry = entries_[mix64(key) % kEntries];
    known = entry.key == key;
    entry.key = key;
    return &entry.answer;
  }

 private:
  static constexpr std::uint32_t kEntries = 1u << 12;
  struct Entry {
    std::uint64_t key;
    Reach answer;
  };
  Entry entries_[kEntries] = {};
  std::uint64_t facts_ = 0;
};
RAVEL_LARGE_TABLE constinit ReachCache reach_cache;

class Fulfil final : public Policy {
 public:
  void seek(const GoalSeat& seat) override { seat_ = seat; }

  void begin(const PolicySpec& spec) override {
    order_.begin(0);
    reach_cache.begin(spec.seed);
    first_ = spec.length;
    yields_ = elsewhere_ = 0;
    dropped_ = false;
    top_ = seat_.rules.count < kMaxGoals ? seat_.rules.count : kMaxGoals;
    for (std::uint32_t i = 0; i < top_; ++i) {
      states_[i] = seat_.goals[i].state;
      inside_[i] = seat_.goals[i].inside;
    }
    if (seat_.report != nullptr) *seat_.report = {};
    left_ = top_ == 0 ? 0 : seat_.planned_left();
  }

  [[nodiscard]] bool watches() const override { return top_ != 0; }
  // Not because of them: also of operations that need no decision.
  [[nodiscard]] bool watches_blocked() const override { return top_ != 0; }
  [[nodiscard]] bool goes_on() const override { return top_ == 0 && first_ == 0; }
  // The trigger was the only one that could run, and there may never be anybody to choose from again.
  [[nodiscard]] bool gives_up() const override { return dropped_; }

  [[nodiscard]] std::size_t pick(const Ready& ready) override {
    if (top_ == 0) return pick_base(ready);
    if (dropped_) return kGiveUp;
    if (states_[top_ - 1] == GoalState::kStandsBy) return pick_base(ready);
    const Goal& goal = top();
    if (state() != GoalState::kSeeking) {
      const std::size_t trigger = find(ready, goal.trigger);
      if (trigger < ready.operations.size()) return trigger;
      if (state() == GoalState::kReleased) return stand_by_or_drop(ready, GoalFate::kKept);
    }
    OperationView pending;
    Standing standing = Standing::kNotThere;
    const LastingName driver = driver_of(goal, standing, pending);
    const std::size_t at = find(ready, driver);
    if (at == ready.operations.size()) {
      const GoalFate fate = standing == Standing::kNotThere ? GoalFate::kEnded : GoalFate::kBlocked;
      note_where(pending.location);
      return stand_by_or_drop(ready, fate);
    }
    if (state() == GoalState::kSeeking && driver == goal.target) {
      const Reach reach = reach_of(goal, pending);
      if (reach != Reach::kYes) {
        note_where(pending.location);
        return drop(reach == Reach::kCallee ? GoalFate::kCallee : GoalFate::kBranch);
      }
    }
    const bool yields = ready.yielded && static_cast<int>(at) == ready.current;
    if (yields && ++yields_ > kMostYields) return drop(GoalFate::kSpins);
    return at;
  }

  void executed(const OperationView& operation) override {
    const bool counts = left_ <= seat_.rules.from;
    left_ = seat_.planned_left();
    const bool decides = (seat_.excluded >> static_cast<unsigned>(op_class(operation.kind)) & 1) == 0;
    if (counts && decides && !dropped_) step(operation);
  }
  void chose(ThreadIndex, std::uint32_t) override { left_ = seat_.planned_left(); }

 private:
  [[nodiscard]] const Goal& top() const { return seat_.goals[top_ - 1]; }
  [[nodiscard]] GoalState& state() { return states_[top_ - 1]; }
  [[nodiscard]] std::uint32_t& inside() { return inside_[top_ - 1]; }
  void note(std::uint32_t goal, GoalFate fate) const { seat_.report->fates[goal] = fate; }
  void note_where(LocationId location) const { seat_.report->dropped_at = location; }

  // A thread that is asked for begins, whenever one ended or waits.
  [[nodiscard]] std::size_t pick_base(const Ready& ready) {
    if (ready.current < 0 && first_ != 0) {
      for (std::size_t i = 0; i < ready.operations.size(); ++i) {
        if (ready.operations[i].thread == first_) return i;
      }
    }
    return order_.pick(ready);
  }

  [[nodiscard]] std::size_t find(const Ready& ready, LastingName thread) const {
    for (std::size_t i = 0; i < ready.operations.size(); ++i) {
      if (seat_.name_of(ready.operations[i].thread) == thread) return i;
    }
    return ready.operations.size();
  }

  // Who is run for the goal: the target's thread, or who is to create it.
  LastingName driver_of(const Goal& goal, Standing& standing, OperationView& pending) const {
    standing = seat_.pending_of(goal.target, pending);
    if (standing != Standing::kNotThere) return goal.target;
    for (const LastingName creator : goal.creators) {
      if (creator == 0) break;
      standing = seat_.pending_of(creator, pending);
      if (standing != Standing::kNotThere) return creator;
    }
    return goal.target;
  }
  static bool drives(const Goal& goal, LastingName thread) {
    if (thread == goal.target) return true;
    for (const LastingName creator : goal.creators) {
      if (creator != 0 && creator == thread) return true;
    }
    return false;
  }

  [[nodiscard]] bool all_reached() const {
    for (std::uint32_t i = 0; i < top_; ++i) {
      if (states_[i] == GoalState::kSeeking) return false;
    }
    return true;
  }
  void stand_by() {
    for (std::uint32_t i = 0; i < top_; ++i) {
      states_[i] = GoalState::kStandsBy;
      note(i, GoalFate::kForEver);
    }
  }
  [[nodiscard]] std::size_t drop(GoalFate fate) {
    note(top_ - 1, elsewhere_ == top_ && state() == GoalState::kSeeking ? GoalFate::kAddress : fate);
    dropped_ = true;
    return kGiveUp;
  }
  [[nodiscard]] std::size_t stand_by_or_drop(const Ready& ready, GoalFate fate) {
    bool waits = all_reached();
    for (std::uint32_t i = 0; i < top_ && waits; ++i) {
      waits = find(ready, seat_.goals[i].trigger) == ready.operations.size();
    }
    if (!waits) return drop(fate);
    stand_by();
    return pick_base(ready);
  }

  // From where the goal's thread stands. A thread that begins is at its creator's code.
  [[nodiscard]] Reach reach_of(const Goal& goal, const OperationView& pending) const {
    if (seat_.reach.empty() || goal.user_place == 0 || pending.kind == OpKind::kThreadStart) return Reach::kYes;
    if (pending.location == goal.place) return Reach::kYes;
    const std::uint64_t context = seat_.context_of(pending.thread);
    const std::uint64_t key = hash_combine(hash_combine(context + 1, pending.location), goal.user_place);
    bool known = false;
    Reach* const answer = reach_cache.find(key, known);
    ++seat_.report->asked;
    seat_.report->cached += known ? 1 : 0;
    if (known) return *answer;
    LocationId stack[kMostCalls + 1] = {pending.location};
    const std::uint32_t calls = seat_.calls(pending.thread, stack + 1, kMostCalls);
    *answer = calls == kMostCalls ? Reach::kYes : seat_.reach.ask({stack, calls + 1}, goal.user_place);
    return *answer;
  }

  [[nodiscard]] bool is_target(const Goal& goal, const OperationView& operation) {
    if (operation.location != goal.place || (goal.kind != OpKind::kNone && operation.kind != goal.kind)) return false;
    if (goal.context != 0 && seat_.context_of(operation.thread) != goal.context) return false;
    OperationView trigger;
    if (seat_.pending_of(goal.trigger, trigger) == Standing::kNotThere) return false;
    if (may_depend(operation, trigger)) return true;
    elsewhere_ = top_;
    return false;
  }

  void advance(LastingName thread, const OperationView& operation) {
    if (thread != top().target) return;
    if (state() == GoalState::kReached) {
      OperationView trigger;
      if (seat_.pending_of(top().trigger, trigger) == Standing::kNotThere) return;
      inside() = inside_after(inside(), entered_place(trigger), operation);
      if (inside() == 0) state() = GoalState::kReleased;
    } else if (is_target(top(), operation)) {
      state() = top().releases != 0 ? GoalState::kReached : GoalState::kReleased;
      inside() = 1;
    }
  }

  // One that was not picked was the only one that could run.
  void step(const OperationView& operation) {
    const LastingName thread = seat_.name_of(operation.thread);
    ++seat_.report->steps;
    while (top_ != 0 && state() != GoalState::kStandsBy && thread == top().trigger) {
      if (state() == GoalState::kSeeking) return (void)drop(GoalFate::kBlocked);
      note(top_ - 1, GoalFate::kFulfilled);
      --top_;
      yields_ = elsewhere_ = 0;
    }
    if (top_ == 0 || state() == GoalState::kStandsBy) return;
    const bool driven = drives(top(), thread);
    if (driven && state() != GoalState::kReleased) {
      advance(thread, operation);
    } else if (all_reached()) {
      stand_by();
    } else {
      (void)drop(driven ? GoalFate::kKept : GoalFate::kBlocked);
    }
  }

  GoalSeat seat_{};
  RunOnOrder order_;
  ThreadIndex first_ = 0;
  GoalState states_[kMaxGoals] = {};
  std::uint32_t inside_[kMaxGoals] = {};  // how often the target's thread is inside what it entered
  std::uint32_t top_ = 0;
  std::uint32_t left_ = 0;  // choices of the prefix, before the next operation
  std::uint32_t yields_ = 0;
  std::uint32_t elsewhere_ = 0;  // height of the stack when its top goal's target came, on something else
  bool dropped_ = false;
};

constinit Fulfil fulfil;

}  // namespace

Policy& fulfil_policy() {
  return fulfil;
}

}  // namespace ravel
