// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// explain: which pairs of events decide whether a schedule fails. Of the failing execution each pair (a, b) of
// conflicting events of two threads, the likeliest first (explain_pairs.h), is reversed: the thread of a waits until b
// is done, everything else keeps its order as far as it can. Where that comes about and the defect does not, the order
// of the two decides, and the execution is handed over with its pair.
//
//   given    the schedule as it is; what fails there is what is looked for
//   fine     the same with every access recorded
//   check    the same by turns (model/turn_prefix.h), every access a scheduling point: a thread can then be held back
//            before any access, also where nobody knew of a race. Where that does not lead to the same events (long
//            executions, time), the given one again, and pairs are reversed with the points of the schedule
//   reverse  each pair of the likeliest rank, and then the given order again
//   run on   if none of them decides: each of them, and then nobody is preempted any more, so that the same accident
//            does not happen again a little later. Only where the failure needs no later preemption: the given order up
//            to b, and then nobody preempted, fails too. Then the next rank
//
// Kill-safe: the list of pairs and the given execution are written once, before the state that uses them.
#include <span>

#include "base/two_slots.h"
#include "explore/explain_pairs.h"
#include "explore/make_strategy.h"
#include "explore/strategies.h"
#include "explore/turns.h"

namespace ravel {
namespace {

constexpr std::uint32_t kMostEvents = 1u << 16;
constexpr std::uint32_t kMostData = 1u << 14;
constexpr std::uint32_t kMostHandedOver = 48;

enum class Phase : std::uint8_t { kGiven, kFine, kCheck, kReverse, kControl, kRunOn, kDone };

struct State {
  Phase phase = Phase::kGiven;
  OutcomeKind kind = OutcomeKind::kNotRun;
  std::uint8_t decisive = 0;  // the last execution shows that its pair decides
  std::uint8_t coarse = 0;    // only with the points of the schedule
  std::uint64_t key = 0;
  std::uint32_t reported = 0;  // events of the given execution
  std::uint32_t events = 0;    // with every access
  std::uint32_t all = 0;       // with what was pending
  std::uint32_t data = 0;
  std::uint32_t rank_begin = 0;  // first pair of the rank in hand
  std::uint32_t pair = 0;
  std::uint32_t found = 0;
  std::uint32_t decisive_pair = 0;
  std::uint32_t first_decisive = 0;
  std::uint8_t outer = 0;      // a is held back before its thread takes its locks
  std::uint8_t both_ways = 0;  // of those that decide, one goes the other way between the same threads
};

class Explain final : public Strategy, public Observer, public TargetPlan {
 public:
  Explain(std::pmr::memory_resource& memory, const StrategyOptions& options)
      : log_(memory), pairs_(memory, kMostEvents) {
    events_ = allocate<Event>(memory, kMostEvents);
    given_events_ = allocate<Event>(memory, kMostEvents);
    known_ = allocate<KnownEvent>(memory, kMostEvents + kMaxWaiting + 1);
    turns_ = allocate<Segment>(memory, kMaxTurns);
    data_ = allocate<Segment>(memory, kMostData);
    own_ = allocate<std::uint32_t>(memory, kMaxTurnThreads);
    held_ = allocate<std::uint32_t>(memory, kMaxTurnThreads);
    locks_ = allocate<Locks>(memory, kMaxTurnThreads);
    controls_ = allocate<Control>(memory, kMostEvents + kMaxWaiting + 1);
    given_count_ = static_cast<std::uint32_t>(options.schedule.size());
    given_ = allocate<Segment>(memory, given_count_ + 1);
    for (std::uint32_t i = 0; i < given_count_; ++i) given_[i] = options.schedule[i];
  }

  bool next(PlanWriter& plan) override {
    const State& s = state_.current();
    plan.spec.policy = PolicySpec{};
    plan.spec.data_seed = 0;
    switch (s.phase) {
      case Phase::kGiven:
      case Phase::kFine:
        for (std::uint32_t i = 0; i < given_count_; ++i) plan.prefix[i] = given_[i];
        plan.spec.prefix_segments = given_count_;
        plan.spec.record_steps = s.phase == Phase::kFine ? 1 : 0;
        return true;
      case Phase::kCheck:
        write(plan, s, in_given_order(s, s.events));
        return true;
      case Phase::kReverse:
        write(plan, s, reversed(s, true));
        return true;
      case Phase::kControl:
        write(plan, s, in_given_order(s, pairs_[s.pair].second + 1));
        return true;
      case Phase::kRunOn:
        write(plan, s, reversed(s, false));
        return true;
      case Phase::kDone:
        break;
    }
    return false;
  }

  [[nodiscard]] Wants wants() const override { return kWantsClasses | kWantsQuiet | kWantsKnown; }
  void begin(const TraceView&) override { log_.begin(); }
  void on_event(const Event& event, const Moment&) override {
    if (log_.count() < kMostEvents) events_[log_.count()] = event;
    log_.add(event);
  }

  Share learn(const Execution& execution) override {
    State& s = state_.prepare();
    s.decisive = 0;
    switch (s.phase) {
      case Phase::kGiven:
        learn_given(s, execution);
        break;
      case Phase::kFine:
        learn_fine(s, execution);
        break;
      case Phase::kCheck:
        learn_check(s, execution);
        break;
      case Phase::kReverse:
      case Phase::kRunOn:
        learn_reversal(s, execution);
        break;
      case Phase::kControl:
        controls_[pairs_[s.pair].second] = shows(s, execution) ? Control::kFails : Control::kPasses;
        choose_run_on(s);
        break;
      case Phase::kDone:
        break;
    }
    state_.commit();
    return Share::kCounts;
  }

  void recover(std::uint64_t learned) override { state_.recover(learned); }
  [[nodiscard]] SearchVerdict verdict(std::uint64_t) const override {
    const State& s = state_.current();
    const bool complete = s.phase == Phase::kDone && s.key != 0;
    return {.complete = complete, .kept = complete};
  }

  [[nodiscard]] HandedOver handed_over() const override {
    const State& s = state_.current();
    if (s.decisive == 0) return {};
    const CandidatePair& pair = pairs_[s.decisive_pair];
    return {.this_one = true,
            .key = s.found,
            .kind = s.kind,
            .pair = {known_[pair.first].reported, known_[pair.second].reported}};
  }

 private:
  enum class Control : std::uint8_t { kNotRun, kFails, kPasses };
  struct Locks {
    std::uint32_t count = 0;
    std::uint32_t begin = 0;
  };

  template <class T>
  static T* allocate(std::pmr::memory_resource& memory, std::size_t count) {
    return static_cast<T*>(memory.allocate(sizeof(T) * count, alignof(T)));
  }

  static bool shows(const State& s, const Execution& execution) {
    return execution.result.outcome == s.kind && execution.outcome_key(execution.result) == s.key;
  }

  // --- the failing execution ---
  void learn_given(State& s, const Execution& execution) {
    s.phase = Phase::kDone;
    const ExecutionResult& result = execution.result;
    if (!is_defect(result.outcome) || log_.count() > kMostEvents || result.threads > kMaxTurnThreads) return;
    s.data = 0;
    s.kind = result.outcome;
    s.key = execution.outcome_key(result);
    for (const DecisionRecord& decision : execution.decisions) {
      if ((decision.chosen & kDataChoice) == 0) continue;
      if (s.data == kMostData) return;
      data_[s.data++] = {decision.chosen, 1};
    }
    s.reported = s.events = log_.count();
    for (std::uint32_t i = 0; i < s.events; ++i) {
      given_events_[i] = events_[i];
      known_[i].reported = i;
    }
    if (s.coarse != 0) return list_pairs(s, execution);
    s.phase = Phase::kFine;
  }

  void learn_fine(State& s, const Execution& execution) {
    s.coarse = log_.count() > kMostEvents || !shows(s, execution) || !find_reported(s, execution.result) ? 1 : 0;
    s.phase = s.coarse != 0 ? Phase::kGiven : Phase::kCheck;
    if (s.coarse != 0) return;
    s.events = log_.count();
    list_known(s, execution);
  }

  // By turns every event must come at its place.
  void learn_check(State& s, const Execution& execution) {
    bool same = log_.count() == s.events && shows(s, execution);
    for (std::uint32_t i = 0; same && i < s.events; ++i) {
      same = events_[i].thread == known_[i].event.thread && is_same(events_[i], known_[i].event);
    }
    s.coarse = same ? 0 : 1;
    s.phase = Phase::kGiven;
    if (same) list_pairs(s, execution);
  }

  void list_pairs(State& s, const Execution& execution) {
    list_known(s, execution);
    pairs_.fill({known_, s.events, s.all, &execution.result});
    for (std::uint32_t i = 0; i < s.all; ++i) controls_[i] = Control::kNotRun;
    s.phase = Phase::kReverse;
    choose_pair(s);
  }

  // Each event of the given execution among those of the present one: `reported` says which.
  bool find_reported(const State& s, const ExecutionResult& result) {
    constexpr std::uint32_t kNone = 0xffffffffu;
    for (std::uint32_t i = 0; i < result.threads; ++i) own_[i] = kNone;
    std::uint32_t* const next = turn_scratch();
    for (std::uint32_t i = s.reported; i-- > 0;) {
      next[i] = own_[given_events_[i].thread];
      own_[given_events_[i].thread] = i;
    }
    std::uint32_t matched = 0;
    for (std::uint32_t i = 0; i < log_.count(); ++i) {
      const Event& event = events_[i];
      std::uint32_t& expected = own_[event.thread];
      const bool is_it = expected != kNone && is_same(event, given_events_[expected]);
      if (!is_it && op_class(event.kind) != OpClass::kPlain) return false;
      known_[i].reported = is_it ? expected : kNotReported;
      if (!is_it) continue;
      expected = next[expected];
      ++matched;
    }
    return matched == s.reported;
  }
  // Room for a number for each event of the given execution.
  std::uint32_t* turn_scratch() { return reinterpret_cast<std::uint32_t*>(turns_); }
  static_assert(sizeof(Segment) * kMaxTurns >= sizeof(std::uint32_t) * kMostEvents);

  // Objects are numbered as they are met: not in the same way with more events.
  static bool is_same(const Event& a, const Event& b) {
    return a.kind == b.kind && a.location == b.location && a.offset == b.offset && a.size == b.size;
  }

  void list_known(State& s, const Execution& execution) {
    const ExecutionResult& result = execution.result;
    for (std::uint32_t i = 0; i < result.threads; ++i) own_[i] = 0, locks_[i] = {};
    for (std::uint32_t i = 0; i < s.events; ++i) {
      const Event& event = events_[i];
      const ThreadIndex thread = event.thread;
      if (log_.decided(i) || own_[thread] == 0 || (s.coarse == 0 && is_point(event))) held_[thread] = i;
      Locks& locks = locks_[thread];
      if (takes_lock(event) && locks.count++ == 0) locks.begin = held_[thread];
      const std::uint32_t outer = locks.count != 0 ? locks.begin : held_[thread];
      if (leaves_lock(event) && locks.count != 0) --locks.count;
      known_[i] = {event, ++own_[thread], held_[thread], outer, known_[i].reported};
    }
    s.all = s.events;
    const auto add = [&](const Event& event) {
      const std::uint32_t reported = s.reported + (s.all - s.events);
      if (event.thread < result.threads) known_[s.all++] = {event, own_[event.thread] + 1, 0, 0, reported};
    };
    for (std::uint32_t i = 0; i < result.pending && i < kMaxWaiting; ++i) {
      if (execution.trace.pending[i].begun == 0) add(execution.trace.pending[i].operation);
    }
    Event use;  // of freed memory, by whoever failed
    use.thread = result.thread;
    add(use);
  }

  // With every access a point.
  static bool is_point(const Event& e) {
    const OpClass cls = op_class(e.kind);
    return cls == OpClass::kPlain || cls == OpClass::kAtomic || cls == OpClass::kSync;
  }
  static bool takes_lock(const Event& e) {
    return (e.kind == OpKind::kMutexLock || e.kind == OpKind::kMutexTryLock || e.kind == OpKind::kRwReadLock ||
            e.kind == OpKind::kRwWriteLock) &&
           !e.failed();
  }
  static bool leaves_lock(const Event& e) { return e.kind == OpKind::kMutexUnlock || e.kind == OpKind::kRwUnlock; }

  // --- schedules by turns ---
  void write(PlanWriter& plan, const State& s, std::span<const Segment> turns) const {
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < s.data; ++i) plan.prefix[count++] = data_[i];
    for (const Segment& turn : turns) plan.prefix[count++] = turn;
    plan.spec.prefix_segments = count;
    plan.spec.prefix_kind = PrefixKind::kTurns;
    if (s.coarse != 0) return;
    plan.spec.points = PointsMode::kAll;
    plan.spec.record_steps = 1;
  }

  std::uint32_t add_turn(std::uint32_t count, const KnownEvent& known) const {
    if (count != 0 && turns_[count - 1].thread == known.event.thread) {
      turns_[count - 1].count = known.own;
    } else if (count < kMaxTurns) {
      turns_[count++] = {known.event.thread, known.own};
    }
    return count;
  }

  [[nodiscard]] std::span<const Segment> in_given_order(const State& s, std::uint32_t end) const {
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < end && i < s.events; ++i) count = add_turn(count, known_[i]);
    if (end > s.events) count = add_turn(count, known_[end - 1]);
    return {turns_, count};
  }

  // The given order with the thread of a held back until b is done.
  [[nodiscard]] std::span<const Segment> reversed(const State& s, bool same_order_later) const {
    const CandidatePair& pair = pairs_[s.pair];
    const ThreadIndex held = known_[pair.first].event.thread;
    const std::uint32_t from = s.outer != 0 ? known_[pair.first].outer : known_[pair.first].hold;
    const std::uint32_t end = pair.second < s.events ? pair.second + 1 : s.events;
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < from; ++i) count = add_turn(count, known_[i]);
    for (std::uint32_t i = from; i < end; ++i) {
      if (known_[i].event.thread != held) count = add_turn(count, known_[i]);
    }
    if (pair.second >= s.events) count = add_turn(count, known_[pair.second]);
    if (!same_order_later) return {turns_, count};
    for (std::uint32_t i = from; i < end; ++i) {
      if (known_[i].event.thread == held) count = add_turn(count, known_[i]);
    }
    for (std::uint32_t i = end; i < s.events; ++i) count = add_turn(count, known_[i]);
    return {turns_, count};
  }

  // --- pairs ---
  // Pairs of one rank are reversed, then with everybody running on, then those of the next rank. One that decides makes
  // other ranks uninteresting, but for one that goes the other way.
  void choose_pair(State& s) const {
    if (s.pair < end_of_rank(s) && s.found < kMostHandedOver) return;
    if (s.found != 0) {
      s.rank_begin = s.pair;
      const bool enough = s.both_ways != 0 || s.found >= kMostHandedOver || s.pair == pairs_.count();
      if (enough) s.phase = Phase::kDone;
      return;
    }
    s.pair = s.rank_begin;
    choose_run_on(s);
  }

  void choose_run_on(State& s) const {
    const std::uint32_t end = end_of_rank(s);
    for (; s.pair < end; ++s.pair) {
      const Control control = controls_[pairs_[s.pair].second];
      if (control == Control::kPasses) continue;
      s.phase = control == Control::kFails ? Phase::kRunOn : Phase::kControl;
      return;
    }
    s.rank_begin = end;
    s.phase = s.both_ways != 0 || end == pairs_.count() ? Phase::kDone : Phase::kReverse;
  }

  [[nodiscard]] std::uint32_t end_of_rank(const State& s) const {
    std::uint32_t end = s.rank_begin;
    while (end < pairs_.count() && pairs_[end].rank == pairs_[s.rank_begin].rank) ++end;
    return end;
  }

  // Both came, or b alone, and b before a.
  [[nodiscard]] bool came_about(const State& s) const {
    const KnownEvent& a = known_[pairs_[s.pair].first];
    const KnownEvent& b = known_[pairs_[s.pair].second];
    std::uint32_t of_a = 0;
    std::uint32_t of_b = 0;
    for (std::uint32_t i = 0; i < log_.count() && i < kMostEvents; ++i) {
      if (log_.thread(i) == a.event.thread && ++of_a == a.own) return false;
      if (log_.thread(i) != b.event.thread || ++of_b != b.own) continue;
      return b.event.location == 0 || events_[i].location == b.event.location;
    }
    return false;
  }

  void learn_reversal(State& s, const Execution& execution) {
    const bool came = came_about(s);
    // Others may need a lock that it has: before it takes that.
    const KnownEvent& first = known_[pairs_[s.pair].first];
    if (!came && s.outer == 0 && first.outer != first.hold) {
      s.outer = 1;
      return;
    }
    s.outer = 0;
    if (came && execution.result.outcome == OutcomeKind::kCompleted) note_decisive(s);
    ++s.pair;
    if (s.phase == Phase::kRunOn) {
      choose_run_on(s);
    } else {
      choose_pair(s);
    }
  }

  void note_decisive(State& s) const {
    const CandidatePair& pair = pairs_[s.pair];
    const CandidatePair& first = pairs_[s.found == 0 ? s.pair : s.first_decisive];
    if (known_[pair.first].event.thread == known_[first.second].event.thread &&
        known_[pair.second].event.thread == known_[first.first].event.thread) {
      s.both_ways = 1;
    }
    if (s.found++ == 0) s.first_decisive = s.pair;
    s.decisive = 1;
    s.decisive_pair = s.pair;
  }

  EventLog log_;
  PairList pairs_;
  Event* events_;        // of the present execution
  Event* given_events_;  // of the given one
  KnownEvent* known_;    // the same, with every access
  Segment* turns_;       // scratch
  Segment* data_;        // choices of data
  std::uint32_t* own_;   // scratch
  std::uint32_t* held_;  // scratch
  Locks* locks_;         // scratch
  Control* controls_;    // event -> the given order up to it
  Segment* given_;
  std::uint32_t given_count_;
  TwoSlots<State> state_;
};

}  // namespace

StrategyParts create_explain(std::pmr::memory_resource& memory, const StrategyOptions& options,
                             std::string_view& error) {
  if (options.schedule.empty()) {
    error = kNeedsPlan;
    return {};
  }
  return make_strategy<Explain>(memory, memory, options);
}

}  // namespace ravel
