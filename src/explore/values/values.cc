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
#include "base/monotonic_time.h"
#include "explore/make_strategy.h"
#include "explore/sampling.h"
#include "explore/strategies.h"
#include "explore/values/derivation.h"
#include "explore/values/plan_of_point.h"
#include "explore/values/scope.h"

namespace ravel {
namespace {

using namespace values;

constexpr unsigned kInTurn = 2 * static_cast<unsigned>(OrderKind::kMm);  // rank of goals that are not run early
constexpr std::uint32_t kScouts = 16;                                    // executions at random, at least
constexpr std::uint32_t kJournalEntries = 1u << 21;
constexpr std::uint32_t kSpareEntries = 1u << 16;  // that one more goal cannot use up

class Values final : public Strategy, public Observer {
 public:
  Values(std::pmr::memory_resource& memory, const StrategyOptions& options)
      : journal_(memory, kJournalEntries),
        steps_(memory),
        classes_(memory),
        lines_(memory),
        view_(memory, steps_, classes_, lines_),
        facts_(memory),
        statics_(memory, options.facts, classes_, lines_),
        focus_(options.facts.focus, statics_),
        points_(memory, journal_),
        met_(memory, journal_),
        derivation_(memory, view_, facts_, statics_, focus_, classes_, points_, met_),
        plans_(memory, points_, classes_, statics_, lines_),
        first_(static_cast<ThreadIndex>(options.parameters["first"])),
        by_priority_(options.parameters["order"] == 0),
        apart_(options.parameters["slices"] != 0),
        ends_at_defect_(options.ends_at_defect),
        slices_(memory),
        kept_(options.kept),
        seed_(options.seed),
        early_only_(focus_.any() ? 1 : 0) {}

  bool next(PlanWriter& plan) override {
    if (finished_ != 0) return false;
    plan.spec.policy = PolicySpec{};
    plan.spec.policy.kind = PolicyKind::kFulfil;
    plan.spec.policy.length = first_;
    plan.spec.policy.seed = statics_.key();
    plan.spec.prefix_kind = PrefixKind::kSteps;
    plan.spec.record_steps = 1;
    plan.spec.goals = {};
    plan.spec.prefix_segments = 0;
    if (scouts_ != 0) {
      plan.spec.policy = PolicySpec{};
      plan.spec.policy.kind = PolicyKind::kRandomWalk;
      plan.spec.policy.seed = hash_combine(seed_, counts_.all_runs);
      return true;
    }
    const std::uint32_t point = ahead_.point != kNone ? ahead_.point : current_;
    if (point != kNone) plans_.write(plan, point);
    return true;
  }

  void begin(const TraceView& trace) override {
    steps_.begin(trace);
    scope_.begin();
  }
  [[nodiscard]] Wants wants() const override { return kWantsClasses | kWantsKnown; }
  void on_event(const Event& event, const Moment& at) override {
    scope_.on_event(event, at.operand);
    const std::uint32_t before = steps_.count();
    steps_.add(event, at.operand);
    if (steps_.count() > before) view_.note_context(before, event.context);
  }

  Share learn(const Execution& execution) override {
    const std::uint64_t began = monotonic_nanoseconds();
    if (planned_ != 0) counts_.running += began - planned_;
    const Share share = learn_journalled(execution);
    planned_ = monotonic_nanoseconds();
    counts_.planning += planned_ - began;
    return share;
  }

  Share learn_journalled(const Execution& execution) {
    journal_.begin();
    add_to(counts_.all_runs);
    add_to(counts_.all_events, execution.result.steps);
    journal_.set(again_, std::uint8_t{0});
    Share share = Share::kCounts;
    const bool ends_here = ends_at_defect_ && is_defect(execution.result.outcome);
    if (execution.points_grew && !ends_here) {
      start_over();
    } else if (scouts_ != 0) {
      share = take_in_scout(execution);
    } else {
      share = take_in(execution);
    }
    journal_.commit();
    if (is_stop(execution.result.outcome)) hand_over();
    return share;
  }
  // The campaign may end here; or it is time again, less and less often.
  [[nodiscard]] bool is_stop(OutcomeKind outcome) const {
    return again_ != 0 || finished_ != 0 || is_defect(outcome) || (counts_.all_runs & (counts_.all_runs - 1)) == 0;
  }
  // What would help a later run, if there is more of it: also what is no reason to start over.
  void hand_over() {
    const std::uint64_t now = facts_.pairs() + classes_.count() + statics_.version() + statics_.given_up();
    if (kept_ == nullptr || now == kept_version_) return;
    kept_version_ = now;
    statics_.hand_over(facts_, *kept_);
  }

  void recover(std::uint64_t learned) override {
    journal_.recover(learned);
    view_.recover();
  }
  [[nodiscard]] const ValueCounts* value_counts() const override { return &counts_; }
  [[nodiscard]] bool began_again() const override { return again_ != 0; }

  [[nodiscard]] SearchVerdict verdict(std::uint64_t) const override {
    const bool kept = finished_ != 0 && note().empty();
    const bool complete = kept && counts_.slices < 2;
    return {.complete = complete,
            .kept = kept,
            .note = kept && !complete ? "each order was seen; orders that cannot affect each other were not combined"
                                      : note(),
            .unmodelled = unmodelled_};
  }

 private:
  [[nodiscard]] std::string_view note() const {
    if (diverged_ != 0) return "two runs of the same plan differed: the program is not deterministic";
    if (unmodelled_.kind != OpKind::kNone) return "the search cannot reason about an operation of the program";
    if (early_ != 0) return "time-outs that come at any moment are not part of value schedules";
    if (too_big_ != 0) return "some executions are too long for the search";
    if (cut_ != 0) return "some executions were cut before their end";
    if (ended_ != 0) return "the program ended while threads could still run: how far they had come is not combined";
    return {};
  }
  void note_unmodelled(const Unmodelled& operation) {
    if (operation.kind != OpKind::kNone && unmodelled_.kind == OpKind::kNone) journal_.set(unmodelled_, operation);
  }
  void raise(std::uint8_t& flag) {
    if (flag == 0) journal_.set(flag, std::uint8_t{1});
  }

  // What is new comes late, again and again: a few executions at random show more of it at once. They are learned from,
  // and count for nothing.
  void send_scouts() {
    constexpr std::uint32_t kPatient = 2;  // searches
    if (counts_.searches < kPatient) return;
    const std::uint32_t wanted = kScouts << (counts_.searches - kPatient < 4 ? counts_.searches - kPatient : 4);
    journal_.set(scouts_, wanted);
    journal_.set(quiet_, 0u);
  }
  Share take_in_scout(const Execution& execution) {
    journal_.set(scouts_, scouts_ - 1);
    const OutcomeKind outcome = execution.result.outcome;
    const bool whole = ran_to_its_end(outcome) && execution.result.decisions <= execution.decisions.size() &&
                       steps_.finish(execution.trace, execution.decisions) && view_.finish(execution.trace);
    if (whole) {
      learn_from(execution, 0);
      if (apart_) slices_.learn(view_, facts_, classes_.count());
    }
    const bool shows_more = version() != known_version_;
    journal_.set(quiet_, shows_more ? 0u : quiet_ + 1);
    journal_.set(known_version_, version());
    if (quiet_ >= kScouts) journal_.set(scouts_, 0u);
    count_pairs();
    if (!ends_at_defect_ || !is_defect(outcome)) return Share::kRedundant;
    add_to(counts_.failing);
    return Share::kCounts;
  }

  void learn_from(const Execution& execution, std::uint32_t step) {
    const std::uint32_t classes = classes_.count();
    statics_.visit_expected(view_, [&](ClassId access, ClassId stand_in) {
      facts_.expect(access, stand_in, statics_.planned());
      if (!points_.retarget(stand_in, access)) raise(too_big_);
    });
    facts_.learn(view_, step, classes);
    statics_.learn(view_, execution.trace);
    if (counted_ != classes) count_pairs();
    counted_ = classes;
  }

  void start_over() {
    points_.cut(0);
    points_.cut_goals(0);
    journal_.set(goals_floor_, std::uint32_t{0});
    journal_.set(current_, kNone);
    journal_.set(ahead_.point, kNone);
    journal_.set(slice_, kNoClass);
    journal_.set(looked_at_, std::uint32_t{0});
    journal_.set(early_only_, static_cast<std::uint8_t>(focus_.any() ? 1 : 0));
    journal_.set(executions_, std::uint64_t{0});
    journal_.set(known_version_, version());
    journal_.set(finished_, std::uint8_t{0});
    journal_.set(again_, std::uint8_t{1});
    add_to(counts_.searches);
    journal_.set(counts_.marked, 0u);
    journal_.set(counts_.slices, 0u);
    for (std::uint32_t& kind : counts_.goals) journal_.set(kind, 0u);
    for (std::uint64_t& fate : counts_.fates) journal_.set(fate, std::uint64_t{0});
    journal_.set(counts_.skipped, LocationId{0});
    journal_.set(counts_.entered, LocationId{0});
    for (std::uint64_t* one : {&counts_.points, &counts_.priority, &counts_.priority_fulfilled, &counts_.asked,
                               &counts_.cached, &counts_.failing}) {
      journal_.set(*one, std::uint64_t{0});
    }
    count_pairs();
    send_scouts();
  }
  void count_pairs() {
    const StaticPairs::Counts counts = statics_.count(facts_);
    journal_.set(counts_.pairs, static_cast<std::uint32_t>(facts_.pairs()));
    journal_.set(counts_.assumed, static_cast<std::uint32_t>(counts.assumed));
    journal_.set(counts_.added, static_cast<std::uint32_t>(counts.added));
    journal_.set(counts_.refuted, static_cast<std::uint32_t>(counts.refuted));
    journal_.set(counts_.kept, static_cast<std::uint32_t>(counts.kept));
  }

  template <class Number>
  void add_to(Number& number, std::uint64_t by = 1) {
    if (by != 0) journal_.set(number, static_cast<Number>(number + by));
  }
  // What became of the goal in hand.
  void count_fate(const Execution& execution) {
    if (counts_.searches == 0) add_to(counts_.searches);
    add_to(counts_.asked, execution.result.goals.asked);
    add_to(counts_.cached, execution.result.goals.cached);
    const std::uint32_t in_hand = ahead_.point != kNone ? ahead_.point : current_;
    if (in_hand == kNone || points_[in_hand].kind == PointKind::kChoice) return;
    const std::uint32_t top = execution.trace.plan->goals.count;
    if (top == 0 || top > kMaxGoals) return;
    GoalFate fate = execution.result.goals.fates[top - 1];
    if (ahead_.point != kNone) {
      add_to(counts_.priority);
      add_to(counts_.priority_fulfilled, fate == GoalFate::kFulfilled ? 1 : 0);
      return;
    }
    if (fate == GoalFate::kNone) fate = GoalFate::kBlocked;                                // nobody could run any more
    if (points_.goal(points_[current_].current).before_end != 0) fate = GoalFate::kEnded;  // its thread, as it was to
    note_fate(points_[current_], fate, execution.result.goals.dropped_at);
  }
  void note_fate(const Point& point, GoalFate fate, LocationId dropped_at) {
    add_to(counts_.fates[static_cast<std::size_t>(fate)]);
    if (fate == GoalFate::kSpins) raise(cut_);
    const ClassId target = points_.goal(point.current).target;
    if (classes_[target].assumed != 0 && is_dropped(fate) && statics_.drops_of(target) < StaticPairs::kMostDrops) {
      add_to(statics_.drops_of(target));
      if (statics_.drops_of(target) == StaticPairs::kMostDrops) statics_.note_given_up();
    }
    if ((fate == GoalFate::kBranch || fate == GoalFate::kCallee) && counts_.skipped == 0) {
      journal_.set(counts_.skipped, statics_.user_place(target));
      journal_.set(counts_.entered, fate == GoalFate::kCallee ? dropped_at : LocationId{0});
    }
  }

  [[nodiscard]] std::uint64_t version() const {
    return facts_.version() + statics_.version() + (apart_ ? slices_.version() : 0);
  }

  Share take_in(const Execution& execution) {
    const OutcomeKind outcome = execution.result.outcome;
    const bool abandoned = outcome == OutcomeKind::kAbandoned;
    const bool fits = execution.result.decisions <= execution.decisions.size() &&
                      steps_.finish(execution.trace, execution.decisions) && view_.finish(execution.trace);
    if (outcome == OutcomeKind::kDiverged || (fits && !followed())) {
      raise(diverged_);
      ahead_.point != kNone ? come_back() : go_on(nullptr);
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
      const std::uint32_t common = path_in_common();
      learn_from(execution, common == 0 ? 0 : view_.step_at(common - 1) + 1);
      if (facts_.left_out()) raise(too_big_);
      if (apart_) choose_slice();
      if (view_.ended_early()) raise(ended_);
    }
    if (ends_at_defect_ && is_defect(outcome)) {  // nothing would come of its points
      add_to(counts_.failing);
      return Share::kCounts;
    }
    if (ahead_.point != kNone) return take_in_ahead(abandoned);
    if (fits) {
      plans_.keep_path(view_);
      derivation_.leave_out_late(early_only_ != 0);
      const std::uint64_t made = derivation_.points_made();
      const std::uint64_t fresh = derivation_.points_met();
      derived = derivation_.take_in(current_, abandoned);
      add_to(counts_.points, derivation_.points_made() - made);
      add_to(counts_.all_points, derivation_.points_met() - fresh);
      if (derived == Derived::kNoRoom) raise(too_big_);
      if (derived == Derived::kDropped && shows_hidden_end(execution)) derived = Derived::kWhole;
    }
    if (version() != known_version_ && !learn_late()) return Share::kRedundant;
    journal_.set(executions_, executions_ + 1);
    const bool again = early_only_ == 0 && was_early();
    const bool marks = early_only_ != 0 && derivation_.is_in_focus();
    go_on(fits ? &execution : nullptr);
    if (derived == Derived::kDropped || abandoned) return Share::kAbandoned;
    if (derived == Derived::kElsewhere || again) return Share::kRedundant;
    if (is_defect(outcome)) add_to(counts_.failing);
    if (marks) add_to(counts_.marked);
    return Share::kCounts;
  }

  // A thread that was to run before the end of the program has ended it itself.
  [[nodiscard]] bool shows_hidden_end(const Execution& execution) const {
    if (current_ == kNone || points_[current_].kind == PointKind::kChoice) return false;
    const Point& point = points_[current_];
    const ThreadIndex who = execution.result.thread;
    return points_.goal(point.current).before_end != 0 && is_defect(execution.result.outcome) &&
           who < view_.steps().columns() && view_.steps().name_of_column(who) != point.thread;
  }

  void choose_slice() {
    slices_.learn(view_, facts_, classes_.count());
    if (slice_ == kNoClass) begin_slice(slices_.next_slice(kNoClass, classes_.count()));
    derivation_.keep_to(&slices_, slice_);
  }
  // False: that was the last.
  bool begin_slice(ClassId slice) {
    if (slice == kNoClass) return false;
    journal_.set(slice_, slice);
    add_to(counts_.slices);
    return true;
  }

  // A run out of order shows what it shows: no points come of it, and its goal is run again in its turn.
  Share take_in_ahead(bool abandoned) {
    if (version() != known_version_) {
      start_over();
    } else {
      come_back();
    }
    return abandoned ? Share::kAbandoned : Share::kRedundant;
  }
  void come_back() {
    journal_.set(points_[ahead_.point].current, ahead_.goal);
    journal_.set(ahead_.point, kNone);
    look_ahead();
  }

  // The first round has run it: all goals that led to it were that round's.
  [[nodiscard]] bool was_early() const {
    if (!focus_.any()) return false;
    for (std::uint32_t i = 0; i < points_.count() && current_ != kNone && i <= current_; ++i) {
      if (points_[i].current != kNone && points_[i].early == 0) return false;
    }
    return true;
  }

  // What is new was not known where the search has been. False: it starts over.
  bool learn_late() {
    if (executions_ != 0) {
      start_over();
      return false;
    }
    journal_.set(known_version_, version());
    count_pairs();
    if (!derivation_.refresh()) raise(too_big_);
    journal_.set(goals_floor_, points_.goal_count());
    return true;
  }

  // Choices of the execution that are those of one before it.
  [[nodiscard]] std::uint32_t path_in_common() const {
    const std::uint32_t point = ahead_.point != kNone ? ahead_.point : current_;
    return point == kNone ? 0 : points_[point].depth;
  }

  // The steps of the path, as they were meant.
  [[nodiscard]] bool followed() const { return plans_.fits(view_, path_in_common()); }

  // The deepest point that has a goal left, which can begin to be run. `execution`: the last one, if it runs through
  // all points; null: that is not known.
  void go_on(const Execution* execution) {
    for (take_next_goal(); current_ != kNone; take_next_goal()) {
      Point& point = points_[current_];
      if (execution == nullptr || !is_blocked(*execution, point) || !journal_.has_room(kSpareEntries)) break;
      note_fate(point, GoalFate::kBlocked, LocationId{0});
      const std::uint64_t made = derivation_.points_made();
      const std::uint64_t fresh = derivation_.points_met();
      if (!derivation_.block_at(current_)) raise(too_big_);
      add_to(counts_.points, derivation_.points_made() - made);
      add_to(counts_.all_points, derivation_.points_met() - fresh);
    }
    if (current_ != kNone) look_ahead();
  }

  // Whether the goal's thread could not run where its point is: what is executed before any execution of the goal is
  // what the last one executed, and that has shown who could run.
  [[nodiscard]] bool is_blocked(const Execution& execution, const Point& point) const {
    if (point.kind == PointKind::kChoice || point.depth >= view_.depth() || (rules_off & kOffBlockedAtOnce) != 0)
      return false;
    const Step& step = view_.steps()[view_.step_at(point.depth)];
    if (!step.chosen || step.decision >= execution.decisions.size()) return false;
    const DecisionRecord& decision = execution.decisions[step.decision];
    const auto enabled = execution.trace.enabled;
    if (decision.enabled_at >= enabled.size() || decision.options > enabled.size() - decision.enabled_at) return false;
    const std::uint32_t target = classes_[points_.goal(point.current).target].thread;
    const std::uint32_t driver = view_.column_of(view_.driver(target, view_.step_at(point.depth)));
    if (driver == kNoStep) return false;
    for (std::uint32_t i = 0; i < decision.options; ++i) {
      if (enabled[decision.enabled_at + i].number() == driver) return false;
    }
    return true;
  }

  void take_next_goal() {
    std::uint32_t count = points_.count();
    std::uint32_t goal = kNone;
    while (count != 0 && (goal = points_.next_untried(points_[count - 1])) == kNone) --count;
    points_.cut(count);
    points_.cut_goals_above(goals_floor_);
    if (count == 0) {
      journal_.set(current_, kNone);
      if (early_only_ == 0 &&
          !(apart_ && slice_ != kNoClass && begin_slice(slices_.next_slice(slice_, classes_.count()))))
        journal_.set(finished_, std::uint8_t{1});
      journal_.set(early_only_, std::uint8_t{0});
      journal_.set(looked_at_, std::uint32_t{0});
      return;
    }
    Point& point = points_[count - 1];
    journal_.set(points_.goal(goal).tried, std::uint8_t{1});
    if (point.kind != PointKind::kChoice) add_to(counts_.goals[static_cast<std::size_t>(points_.goal(goal).kind)]);
    journal_.set(point.current, goal);
    journal_.set(point.reached, kNone);
    journal_.set(point.last, kNone);
    journal_.set(current_, count - 1);
    if (looked_at_ > count) journal_.set(looked_at_, count);
  }

  // How suspicious a goal is, 0 the most: by kind; of one kind, conflicts that were seen before pairs that facts are
  // certain of. What may be about something else altogether is never run out of turn, and no more are locks.
  [[nodiscard]] unsigned rank_of(const Point& point, const PointGoal& goal) const {
    if (point.kind == PointKind::kChoice || goal.kind > OrderKind::kMm) return kInTurn;
    const bool seen = classes_[goal.target].assumed == 0;
    if (!seen && !statics_.is_must(point.access, goal.target)) return kInTurn;
    return 2 * static_cast<unsigned>(goal.kind) + (seen ? 0 : 1);
  }

  // Goals that are more suspicious than what comes next are run first, once: the newest point first.
  void look_ahead() {
    if (!by_priority_ || current_ == kNone) return;
    unsigned rank = rank_of(points_[current_], points_.goal(points_[current_].current));
    if (rank > kInTurn) rank = kInTurn;
    std::uint32_t point = kNone;
    std::uint32_t goal = kNone;
    for (std::uint32_t i = points_.count(); i-- > looked_at_;) {
      if (i == current_ || points_[i].kind == PointKind::kChoice) continue;
      for (std::uint32_t g = points_[i].goals; g != kNone; g = points_.goal(g).next) {
        const PointGoal& one = points_.goal(g);
        if (one.tried != 0 || one.out_of_order != 0 || rank_of(points_[i], one) >= rank) continue;
        rank = rank_of(points_[i], one);
        point = i;
        goal = g;
      }
    }
    if (point == kNone) {
      journal_.set(looked_at_, points_.count());
      return;
    }
    journal_.set(points_.goal(goal).out_of_order, std::uint8_t{1});
    journal_.set(ahead_.goal, points_[point].current);
    journal_.set(ahead_.point, point);
    journal_.set(points_[point].current, goal);
  }

  // A goal that is run out of order.
  struct Ahead {
    std::uint32_t point = kNone;  // kNone: there is none
    std::uint32_t goal = kNone;   // that the point had in hand
  };

  Journal journal_;
  Steps steps_;
  Scope scope_;
  AccessClasses classes_;
  ThreadLines lines_;
  ExecutionView view_;
  LearnedFacts facts_;
  StaticPairs statics_;
  Focus focus_;
  PointStack points_;
  PointsMet met_;
  Derivation derivation_;
  PlanOfPoint plans_;
  ThreadIndex first_;
  bool by_priority_;
  bool apart_;
  bool ends_at_defect_;
  SlicesApart slices_;
  KeptPairTable* kept_;                             // for later runs; null: none are kept
  std::uint64_t kept_version_ = ~std::uint64_t{0};  // that it has
  ClassId slice_ = kNoClass;                        // whose orders are searched; kNoClass: not known yet
  std::uint64_t seed_;
  std::uint32_t counted_ = 0;  // classes when pairs were counted last
  std::uint32_t scouts_ = 0;   // executions at random that come first
  std::uint32_t quiet_ = 0;    // ... in a row that have shown nothing new
  std::uint8_t early_only_;    // the first of two rounds (focus.h)
  Ahead ahead_;
  std::uint32_t looked_at_ = 0;    // points below are not looked at for goals to run out of order
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
  std::uint8_t ended_ = 0;     // some executions ended while threads could still run
  std::uint64_t planned_ = 0;  // when the last plan was ready
  std::uint8_t early_ = 0;     // time-outs need not wait until nobody can run
};

}  // namespace

StrategyParts create_values(std::pmr::memory_resource& memory, const StrategyOptions& options,
                            std::string_view& error) {
  if (options.parameters["slices"] != 0 && !options.facts.focus.empty()) {
    error = "slices=apart cannot be combined with --focus";
    return {};
  }
  return make_strategy<Values>(memory, memory, options);
}

}  // namespace ravel
