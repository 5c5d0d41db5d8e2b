// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// explain: which pairs of events decide whether a schedule fails. Of the failing execution each pair (a, b) of
// conflicting events of two threads, nearest first, is reversed: the thread of a waits until b is done (from its
// last scheduling point before a on), everything else keeps its order as far as it can (turns.h). Where that comes
// about and the defect does not, the order of the two decides, and the execution is handed over with its pair.
//
// Kill-safe: the list of pairs and the given execution are written once, before the state that uses them.
#include <span>

#include "base/two_slots.h"
#include "explore/make_strategy.h"
#include "explore/minimise.h"
#include "explore/strategies.h"
#include "semantics/dependence.h"

namespace ravel {
namespace {

constexpr std::uint32_t kMostEvents = 20'000;
constexpr std::uint32_t kMostPairs = 512;
constexpr std::uint32_t kLookBack = 4'096;
constexpr std::uint32_t kConflictsEach = 4;
constexpr std::uint32_t kMostHandedOver = 48;

enum class Phase : std::uint8_t { kGiven, kFlip, kDone };

struct State {
  Phase phase = Phase::kGiven;
  OutcomeKind kind = OutcomeKind::kNotRun;
  std::uint8_t decisive = 0;  // the last execution shows that its pair decides
  std::uint64_t key = 0;
  KeptSchedules::Size size;
  std::uint32_t events = 0;  // of the given execution
  std::uint32_t all = 0;     // with what was pending
  std::uint32_t pairs = 0;
  std::uint32_t pair = 0;
  std::uint32_t found = 0;
  std::uint32_t try_slot = 0;
  std::uint32_t try_length = 0;
  std::uint32_t tries = 0;
};

struct Known {
  Event event;
  std::uint32_t own = 0;     // n-th event of its thread, from 1
  std::uint32_t before = 0;  // decisions made before it
  std::uint32_t hold = 0;    // the last event of its thread, at most this one, that could have been held back
};

class Explain final : public Strategy, public Observer, public TargetPlan {
 public:
  Explain(std::pmr::memory_resource& memory, const StrategyOptions& options)
      : log_(memory), table_(memory), kept_(memory) {
    events_ = allocate<Event>(memory, kMostEvents);
    known_ = allocate<Known>(memory, kMostEvents + kMaxWaiting + 1);
    pairs_ = allocate<EventPair>(memory, kMostPairs);
    turns_ = allocate<Turn>(memory, kMaxTurns);
    own_ = allocate<std::uint32_t>(memory, kMaxTurnThreads);
    held_ = allocate<std::uint32_t>(memory, kMaxTurnThreads);
    for (auto& list : tries_) list = allocate<std::uint32_t>(memory, KeptSchedules::kMaxChoices);
    given_count_ = static_cast<std::uint32_t>(options.schedule.size());
    given_ = allocate<Segment>(memory, given_count_ + 1);
    for (std::uint32_t i = 0; i < given_count_; ++i) given_[i] = options.schedule[i];
  }

  bool next(PlanWriter& plan) override {
    const State& s = state_.current();
    plan.spec.policy = PolicySpec{};
    plan.spec.data_seed = 0;
    if (s.phase == Phase::kDone) return false;
    if (s.phase == Phase::kGiven) {
      for (std::uint32_t i = 0; i < given_count_; ++i) plan.prefix[i] = given_[i];
      plan.spec.prefix_segments = given_count_;
    } else {
      write_prefix(plan, tries_[s.try_slot], s.try_length);
    }
    return true;
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
    if (s.phase == Phase::kGiven) {
      learn_given(s, execution);
    } else if (s.phase == Phase::kFlip) {
      learn_flip(s, execution);
    }
    state_.commit();
    return Share::kCounts;
  }

  void recover(std::uint64_t learned) override { state_.recover(learned); }
  [[nodiscard]] SearchVerdict verdict(std::uint64_t) const override {
    const State& s = state_.current();
    const bool complete = s.phase == Phase::kDone && s.key != 0 && s.pair == s.pairs;
    return {.complete = complete, .kept = complete};
  }

  [[nodiscard]] HandedOver handed_over() const override {
    const State& s = state_.current();
    if (s.decisive == 0) return {};
    return {.this_one = true, .key = s.pair, .kind = s.kind, .pair = pairs_[s.pair - 1]};
  }

 private:
  template <class T>
  static T* allocate(std::pmr::memory_resource& memory, std::size_t count) {
    return static_cast<T*>(memory.allocate(sizeof(T) * count, alignof(T)));
  }

  void learn_given(State& s, const Execution& execution) {
    s.phase = Phase::kDone;
    const ExecutionResult& result = execution.result;
    if (!is_defect(result.outcome) || log_.count() > kMostEvents || result.threads > kMaxTurnThreads) return;
    s.kind = result.outcome;
    s.key = execution.outcome_key(result);
    s.size = kept_.write(0, execution, log_, table_);
    if (s.size.turns == 0) return;
    s.events = log_.count();
    list_known(s, execution);
    list_pairs(s, result);
    s.phase = Phase::kFlip;
    begin_pair(s);
  }

  void list_known(State& s, const Execution& execution) {
    const ExecutionResult& result = execution.result;
    for (std::uint32_t i = 0; i < result.threads; ++i) own_[i] = 0;
    std::uint32_t made = 0;
    const std::span<const DecisionRecord> decisions = execution.decisions;
    for (std::uint32_t i = 0; i < s.events; ++i) {
      while (made < decisions.size() && (decisions[made].chosen & kDataChoice) != 0) ++made;
      const ThreadIndex thread = events_[i].thread;
      if (log_.decided(i) || own_[thread] == 0) held_[thread] = i;
      known_[i] = {events_[i], ++own_[thread], made, held_[thread]};
      if (log_.decided(i)) ++made;
    }
    s.all = s.events;
    const auto add = [&](const Event& event) {
      if (event.thread < result.threads) known_[s.all++] = {event, own_[event.thread] + 1, made, 0};
    };
    for (std::uint32_t i = 0; i < result.pending && i < kMaxWaiting; ++i) {
      add(execution.trace.pending[i].operation);
    }
    Event use;  // of freed memory, by whoever failed
    use.thread = result.thread;
    add(use);
  }

  // Who has a lock first is decided where it is taken.
  [[nodiscard]] static bool is_candidate(const Event& e) {
    const OpClass cls = op_class(e.kind);
    if (e.kind == OpKind::kMutexUnlock || e.kind == OpKind::kRwUnlock) return false;
    return e.object != 0 && (cls == OpClass::kPlain || cls == OpClass::kAtomic || cls == OpClass::kSync);
  }

  void list_pairs(State& s, const ExecutionResult& result) {
    for (std::uint32_t b = 1; b + 1 < s.all; ++b) {
      const Event& second = known_[b].event;
      if (!is_candidate(second)) continue;
      std::uint32_t found = 0;
      const std::uint32_t last = b < s.events ? b : s.events;
      const std::uint32_t end = last > kLookBack ? last - kLookBack : 0;
      for (std::uint32_t a = last; a-- > end && found < kConflictsEach;) {
        const Event& first = known_[a].event;
        if (first.object != second.object || first.thread == second.thread || !is_candidate(first)) continue;
        if (!dependent(view_of(first), view_of(second))) continue;
        ++found;
        insert(s, {a, b});
      }
    }
    const bool freed = result.outcome == OutcomeKind::kUseAfterFree || result.outcome == OutcomeKind::kDoubleFree;
    if (!freed || s.all == s.events) return;
    for (std::uint32_t a = s.events; a-- > 0;) {
      const Event& first = known_[a].event;
      if (first.kind != OpKind::kHeapFree || first.thread != result.heap.freed.thread) continue;
      if (first.location != result.heap.freed.location || first.thread == result.thread) continue;
      insert(s, {a, s.all - 1});
      break;
    }
  }

  // Nearest first; the farthest fall out.
  void insert(State& s, EventPair pair) {
    std::uint32_t at = s.pairs;
    if (s.pairs == kMostPairs) {
      if (distance(pairs_[at - 1]) <= distance(pair)) return;
      --at;
    } else {
      ++s.pairs;
    }
    for (; at > 0 && distance(pairs_[at - 1]) > distance(pair); --at) pairs_[at] = pairs_[at - 1];
    pairs_[at] = pair;
  }
  static std::uint32_t distance(const EventPair& pair) { return pair.second - pair.first; }

  void begin_pair(State& s) {
    if (s.pair == s.pairs || s.found >= kMostHandedOver) {
      s.phase = Phase::kDone;
      return;
    }
    s.try_slot = 1 - s.try_slot;
    s.try_length = known_[known_[pairs_[s.pair].first].hold].before;
    if (s.try_length > s.size.choices) s.try_length = s.size.choices;
    for (std::uint32_t i = 0; i < s.try_length; ++i) tries_[s.try_slot][i] = kept_.choices(0)[i];
    s.tries = 0;
  }

  // The given order with the thread of a held back until b is done.
  std::span<const Turn> flipped(const State& s) {
    const EventPair pair = pairs_[s.pair];
    const ThreadIndex held = known_[pair.first].event.thread;
    const std::uint32_t from = known_[pair.first].hold;
    const std::uint32_t end = pair.second < s.events ? pair.second + 1 : s.events;
    std::uint32_t count = 0;
    const auto add = [&](const Known& known) {
      if (count != 0 && turns_[count - 1].thread == known.event.thread) {
        turns_[count - 1].until = known.own;
      } else if (count < kMaxTurns) {
        turns_[count++] = {known.event.thread, known.own, 0, 0};
      }
    };
    for (std::uint32_t i = 0; i < from; ++i) add(known_[i]);
    for (std::uint32_t i = from; i < end; ++i) {
      if (known_[i].event.thread != held) add(known_[i]);
    }
    if (pair.second >= s.events) add(known_[pair.second]);
    for (std::uint32_t i = from; i < end; ++i) {
      if (known_[i].event.thread == held) add(known_[i]);
    }
    for (std::uint32_t i = end; i < s.events; ++i) add(known_[i]);
    return {turns_, count};
  }

  // Both came, or b alone, and b before a.
  [[nodiscard]] bool came_about(const State& s) const {
    const Known& a = known_[pairs_[s.pair].first];
    const Known& b = known_[pairs_[s.pair].second];
    std::uint32_t of_a = 0;
    std::uint32_t of_b = 0;
    for (std::uint32_t i = 0; i < log_.count() && i < kMostEvents; ++i) {
      if (log_.thread(i) == a.event.thread && ++of_a == a.own) return false;
      if (log_.thread(i) != b.event.thread || ++of_b != b.own) continue;
      return b.event.location == 0 || events_[i].location == b.event.location;
    }
    return false;
  }

  void learn_flip(State& s, const Execution& execution) {
    const Departure departure = table_.departure(execution, log_, flipped(s), {kept_.data(0), s.size.data});
    if (departure.kind == Departure::Kind::kFound && departure.decision >= s.try_length &&
        departure.decision < KeptSchedules::kMaxChoices && ++s.tries <= s.size.turns + 8) {
      s.try_slot = 1 - s.try_slot;
      for (std::uint32_t i = 0; i < departure.decision; ++i) tries_[s.try_slot][i] = execution.decisions[i].chosen;
      tries_[s.try_slot][departure.decision] = departure.wish;
      s.try_length = departure.decision + 1;
      return;
    }
    if (execution.result.outcome == OutcomeKind::kCompleted && came_about(s)) {
      s.decisive = 1;
      ++s.found;
    }
    ++s.pair;
    begin_pair(s);
  }

  EventLog log_;
  TurnTable table_;
  KeptSchedules kept_;
  Event* events_;  // of the present execution
  Known* known_;   // of the given one
  EventPair* pairs_;
  Turn* turns_;          // scratch
  std::uint32_t* own_;   // scratch
  std::uint32_t* held_;  // scratch
  std::uint32_t* tries_[2];
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
