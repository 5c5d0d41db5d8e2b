// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// values: value schedules, one conflicting order at a time (Chen, "Value-schedule-based testing", 2009;
// docs/values.md). A turn: the deepest point has a goal left; its path is run again and policy `fulfil' makes the goal
// come true, or drops it; what was executed shows new points, and new conflicts.
//
// Departures: states are not saved, paths are run again (docs/adr/0029). Pairs need not be known beforehand: a conflict
// that was seen joins them, and where that may have been missed the search starts over; so what it completes is
// complete (docs/adr/0028).
//
// Memory: one path, the points on it and their goals, one execution.
#include "base/journal.h"
#include "explore/make_strategy.h"
#include "explore/sampling.h"
#include "explore/strategies.h"
#include "explore/values/derivation.h"
#include "explore/values/plan_of_point.h"
#include "explore/values/scope.h"

namespace ravel {
namespace {

using namespace values;

constexpr std::uint32_t kJournalEntries = 1u << 21;

class Values final : public Strategy, public Observer {
 public:
  Values(std::pmr::memory_resource& memory, const StrategyOptions& options)
      : journal_(memory, kJournalEntries),
        steps_(memory),
        classes_(memory),
        lines_(memory),
        view_(memory, steps_, classes_, lines_),
        facts_(memory),
        points_(memory, journal_),
        derivation_(memory, view_, facts_, classes_, points_),
        plans_(memory, points_, classes_, lines_),
        first_(static_cast<ThreadIndex>(options.parameters["first"])) {}

  bool next(PlanWriter& plan) override {
    if (finished_ != 0) return false;
    plan.spec.policy = PolicySpec{};
    plan.spec.policy.kind = PolicyKind::kFulfil;
    plan.spec.policy.length = first_;
    plan.spec.prefix_kind = PrefixKind::kSteps;
    plan.spec.record_steps = 1;
    plan.spec.goals = {};
    plan.spec.prefix_segments = 0;
    if (current_ != kNone) plans_.write(plan, current_);
    return true;
  }

  void begin(const TraceView& trace) override {
    steps_.begin(trace);
    scope_.begin();
  }
  [[nodiscard]] Wants wants() const override { return kWantsClasses | kWantsKnown; }
  void on_event(const Event& event, const Moment& at) override {
    scope_.on_event(event);
    const std::uint32_t before = steps_.count();
    steps_.add(event, at.operand);
    if (steps_.count() > before) view_.note_context(before, event.context);
  }

  Share learn(const Execution& execution) override {
    journal_.begin();
    journal_.set(again_, std::uint8_t{0});
    Share share = Share::kCounts;
    if (execution.points_grew) {
      start_over();
    } else {
      share = take_in(execution);
    }
    journal_.commit();
    return share;
  }

  void recover(std::uint64_t learned) override { journal_.recover(learned); }
  [[nodiscard]] const ValueCounts* value_counts() const override { return &counts_; }
  [[nodiscard]] bool began_again() const override { return again_ != 0; }

  [[nodiscard]] SearchVerdict verdict(std::uint64_t) const override {
    const bool complete = finished_ != 0 && note().empty();
    return {.complete = complete, .kept = complete, .note = note(), .unmodelled = unmodelled_};
  }

 private:
  [[nodiscard]] std::string_view note() const {
    if (diverged_ != 0) return "two runs of the same plan differed: the program is not deterministic";
    if (unmodelled_.kind != OpKind::kNone) return "the search cannot reason about an operation of the program";
    if (early_ != 0) return "time-outs that come at any moment are not part of value schedules";
    if (too_big_ != 0) return "some executions are too long for the search";
    if (cut_ != 0) return "some executions were cut before their end";
    return {};
  }
  void note_unmodelled(const Unmodelled& operation) {
    if (operation.kind != OpKind::kNone && unmodelled_.kind == OpKind::kNone) journal_.set(unmodelled_, operation);
  }
  void raise(std::uint8_t& flag) {
    if (flag == 0) journal_.set(flag, std::uint8_t{1});
  }

  void start_over() {
    points_.cut(0);
    points_.cut_goals(0);
    journal_.set(goals_floor_, std::uint32_t{0});
    journal_.set(current_, kNone);
    journal_.set(executions_, std::uint64_t{0});
    journal_.set(known_version_, facts_.version());
    journal_.set(finished_, std::uint8_t{0});
    journal_.set(again_, std::uint8_t{1});
    const std::uint64_t searches = counts_.searches;
    for (std::uint64_t* word = &counts_.searches; word != &counts_.searches + sizeof(counts_) / sizeof(*word); ++word) {
      journal_.set(*word, std::uint64_t{0});
    }
    journal_.set(counts_.searches, searches + 1);
  }

  void add_to(std::uint64_t& number, std::uint64_t by = 1) {
    if (by != 0) journal_.set(number, number + by);
  }
  // What became of the goal in hand.
  void count_fate(const Execution& execution) {
    if (counts_.searches == 0) add_to(counts_.searches);
    if (counts_.pairs != facts_.pairs()) journal_.set(counts_.pairs, facts_.pairs());
    if (current_ == kNone || points_[current_].kind == PointKind::kChoice) return;
    const std::uint32_t top = execution.trace.plan->goals.count;
    if (top == 0 || top > kMaxGoals) return;
    const GoalFate fate = execution.result.goals.fates[top - 1];
    const bool stuck = fate == GoalFate::kNone;  // nobody could run any more
    add_to(counts_.fates[static_cast<std::size_t>(stuck ? GoalFate::kBlocked : fate)]);
    if (fate == GoalFate::kSpins) raise(cut_);
  }

  Share take_in(const Execution& execution) {
    const OutcomeKind outcome = execution.result.outcome;
    const bool abandoned = outcome == OutcomeKind::kAbandoned;
    const bool fits = execution.result.decisions <= execution.decisions.size() &&
                      steps_.finish(execution.trace, execution.decisions) && view_.finish(execution.trace);
    if (outcome == OutcomeKind::kDiverged || (fits && !followed())) {
      raise(diverged_);
      go_on();
      return Share::kRedundant;
    }
    if (!ran_to_its_end(outcome) && !abandoned) raise(cut_);
    if (!fits) raise(too_big_);
    Derived derived = Derived::kWhole;
    count_fate(execution);
    note_unmodelled(steps_.unmodelled());
    note_unmodelled(scope_.outside());
    if (execution.trace.plan->timeouts == TimeoutMode::kAdversarial) raise(early_);
    if (fits) {
      plans_.keep_path(view_);
      facts_.learn(view_);
      const std::uint64_t made = derivation_.points_made();
      derived = derivation_.take_in(current_, abandoned);
      add_to(counts_.points, derivation_.points_made() - made);
      if (derived == Derived::kNoRoom) raise(too_big_);
    }
    if (facts_.version() != known_version_ && !learn_late()) return Share::kRedundant;
    journal_.set(executions_, executions_ + 1);
    go_on();
    if (derived == Derived::kDropped || abandoned) return Share::kAbandoned;
    return derived == Derived::kElsewhere ? Share::kRedundant : Share::kCounts;
  }

  // What is new was not known where the search has been. False: it starts over.
  bool learn_late() {
    if (executions_ != 0) {
      start_over();
      return false;
    }
    journal_.set(known_version_, facts_.version());
    if (!derivation_.refresh()) raise(too_big_);
    journal_.set(goals_floor_, points_.goal_count());
    return true;
  }

  // The steps of the path, as they were meant.
  [[nodiscard]] bool followed() const { return current_ == kNone || plans_.fits(view_, points_[current_].depth); }

  // The deepest point that has a goal left.
  void go_on() {
    std::uint32_t count = points_.count();
    std::uint32_t goal = kNone;
    while (count != 0 && (goal = points_.next_untried(points_[count - 1])) == kNone) --count;
    points_.cut(count);
    points_.cut_goals_above(goals_floor_);
    if (count == 0) {
      journal_.set(current_, kNone);
      journal_.set(finished_, std::uint8_t{1});
      return;
    }
    Point& point = points_[count - 1];
    journal_.set(points_.goal(goal).tried, std::uint8_t{1});
    if (point.kind != PointKind::kChoice) add_to(counts_.goals[static_cast<std::size_t>(points_.goal(goal).kind)]);
    journal_.set(point.current, goal);
    journal_.set(point.reached, kNone);
    journal_.set(point.last, kNone);
    journal_.set(current_, count - 1);
  }

  Journal journal_;
  Steps steps_;
  Scope scope_;
  AccessClasses classes_;
  ThreadLines lines_;
  ExecutionView view_;
  LearnedFacts facts_;
  PointStack points_;
  Derivation derivation_;
  PlanOfPoint plans_;
  ThreadIndex first_;
  std::uint32_t current_ = kNone;  // the point whose goal in hand is run next; kNone: from the start
  std::uint32_t goals_floor_ = 0;
  std::uint64_t executions_ = 0;  // of this search
  std::uint64_t known_version_ = 0;
  Unmodelled unmodelled_;
  ValueCounts counts_;
  std::uint8_t finished_ = 0;
  std::uint8_t again_ = 0;  // the last execution made the search start over
  std::uint8_t diverged_ = 0;
  std::uint8_t too_big_ = 0;
  std::uint8_t cut_ = 0;
  std::uint8_t early_ = 0;  // time-outs need not wait until nobody can run
};

}  // namespace

StrategyParts create_values(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view&) {
  return make_strategy<Values>(memory, memory, options);
}

}  // namespace ravel
