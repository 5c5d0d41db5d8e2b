// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// reachability: every sequence of synchronisation once (race_sets.h). An execution is analysed; each row of its race
// table changes some of its receiving events and becomes a variant: a part of the sequence that is forced by the gate,
// behind which the program runs freely. No sequence is stored: what keeps them apart are colours.
//   black  it was changed on the way here, or happens before what was: never changed again
//   old    it is part of the variant that was run: calls that are old are no alternatives to it
// An old event whose call comes behind a change, but whose object would receive in any case, stays with any new call in
// its place (SequenceMatch::kAnyNew). Such a variant may come to a stop where only old calls are left: the execution is
// analysed, but does not count.
//
// Lei, Carver: Reachability Testing of Concurrent Programs, IEEE TSE 32(6), 2006. Departures: calls of threads that
// wait, and the mutex that a wait gives back, are part of what happens before; rows are made one after the other.
//
// What is kept is a stack of executions, each with the row that is being run (race_rows.h). A row blackens at least one
// event more, so the stack is never deeper than the longest execution.
//
// Several processes see the same tree, since what is not forced runs the same way each time. All of them run the first
// levels; the rows of the last of these levels are shared out by number. No process needs to know about another.
#include <algorithm>
#include <cstring>

#include "base/two_slots.h"
#include "explore/estimate.h"
#include "explore/make_strategy.h"
#include "explore/race_rows.h"
#include "explore/race_sets.h"
#include "explore/sampling.h"
#include "explore/sequence_check.h"
#include "explore/strategies.h"

namespace ravel {

ReachabilityRules reachability_rules;

namespace {

constexpr std::uint32_t kMaxRaces = 1u << 14;
constexpr std::size_t kStackBytes = std::size_t{96} << 20;
constexpr std::uint32_t kCommonDepth = 2;  // executions above this are run by every process

class Reachability final : public Strategy, public Observer {
 public:
  Reachability(std::pmr::memory_resource& memory, const StrategyOptions& options)
      : steps_(memory, StepOrder::kSequences),
        races_(memory, steps_),
        alternatives_(room<std::uint32_t>(memory, kMaxRaces)),
        columns_(room<RaceRows::Column>(memory, RaceSets::kMaxEvents)),
        entries_(room<const SequenceEvent*>(memory, RaceSets::kMaxEvents)),
        scratch_(room<LastingName>(memory, RaceSets::kMaxEvents)),
        stack_(room<unsigned char>(memory, kStackBytes)),
        atomics_(room<LastingName>(memory, kMaxSequenceAtomics)),
        check_(memory, options.parameters["self-check"] != 0),
        shard_(options.shard_index),
        shards_(options.shard_count == 0 ? 1 : options.shard_count) {
    variant_.list = room<SequenceEvent>(memory, kMaxSequence);
  }

  bool next(PlanWriter& plan) override {
    const State& s = state_.current();
    if (s.started != 0 && s.top == 0) return false;
    plan.spec.policy = PolicySpec{};
    plan.spec.prefix_segments = 0;
    plan.spec.record_steps = 1;
    plan.spec.sequence = {};
    variant_.count = 0;
    if (s.top == 0) {
      add_atomics(plan, s);
      return true;
    }
    // Rows whose variant is too long are passed over when they are made.
    (void)rows_at(s.top).make_variant(state_.steps(), variant_, scratch_);
    std::memcpy(plan.sequence.data(), variant_.list, sizeof(SequenceEvent) * variant_.count);
    plan.spec.sequence.count = variant_.count;
    add_atomics(plan, s);
    return true;
  }

  void begin(const TraceView& trace) override { steps_.begin(trace); }
  [[nodiscard]] Wants wants() const override { return kWantsClasses | kWantsKnown; }
  void on_event(const Event& event, const Moment& moment) override { steps_.add(event, moment.operand); }

  Share learn(const Execution& execution) override {
    State& s = state_.prepare();
    began_again_ = false;
    if (execution.points_grew) {
      begin_again(s);
    } else {
      const bool deeper = take_in(s, execution);
      s.started = 1;
      if (began_again_) {
        begin_again(s);
      } else if (!deeper) {
        go_on(s);
      }
    }
    state_.commit();
    return state_.current().share;
  }
  void recover(std::uint64_t learned) override { state_.recover(learned); }
  [[nodiscard]] bool began_again() const override { return began_again_; }

  [[nodiscard]] SearchVerdict verdict(std::uint64_t) const override {
    const State& s = state_.current();
    const bool sound = !s.divergence.found() && s.twice == 0 && !check_.is_full(s.filled) && s.too_big == 0 &&
                       s.cut == 0 && s.apart == 0 && s.unmodelled.kind == OpKind::kNone;
    SearchVerdict verdict;
    verdict.complete = verdict.kept = s.started != 0 && s.top == 0 && sound;
    verdict.unmodelled = s.unmodelled;
    verdict.note = note(s);
    verdict.suspects = s.suspects;
    verdict.divergence = s.divergence;
    std::copy_n(s.accesses, 2, verdict.divergence.accesses);
    verdict.own_sequences = true;
    verdict.estimate = estimate(s);
    return verdict;
  }

 private:
  struct State {
    std::uint64_t top = 0;  // of the stack: the execution a row of which is to be run
    std::uint64_t counted = 0;
    std::uint64_t suspects = 0;
    std::uint64_t shared_out = 0;  // rows of the last common level
    std::uint8_t started = 0;
    std::uint8_t too_big = 0;
    std::uint8_t cut = 0;
    std::uint8_t twice = 0;
    std::uint8_t apart = 0;     // an atomic that decides was seen by this process, and perhaps by no other
    std::uint32_t atomics = 0;  // that are objects
    SequenceCheck::Filled filled;
    Share share = Share::kCounts;
    Unmodelled unmodelled;
    LocationId accesses[2] = {0, 0};  // that nothing orders
    Divergence divergence;            // the first
  };

  template <class T>
  static T* room(std::pmr::memory_resource& memory, std::size_t count) {
    return static_cast<T*>(memory.allocate(sizeof(T) * count, alignof(T) < 8 ? 8 : alignof(T)));
  }
  // Offsets are from 8 on: 0 is none.
  [[nodiscard]] RaceRows& rows_at(std::uint64_t offset) const { return *reinterpret_cast<RaceRows*>(stack_ + offset); }

  [[nodiscard]] std::string_view note(const State& s) const {
    if (s.unmodelled.kind != OpKind::kNone) return "reachability testing cannot reason about an operation: use dpor";
    if (s.divergence.found()) return "a variant could not be forced: data without synchronisation decides an operation";
    if (s.twice != 0) return "self-check: a sequence came twice, which is a defect of the search";
    if (check_.is_full(s.filled)) return "self-check: no room for more fingerprints";
    if (s.too_big != 0) return "some executions are too long for the search";
    if (s.apart != 0) return "an atomic that decides came late in the search: use --jobs 1";
    if (s.cut != 0) return "some executions were cut, or ended while other threads could go on";
    return {};
  }

  // From the part of the rows, with what is below them, that comes before those being run.
  [[nodiscard]] Estimate estimate(const State& s) const {
    if (s.started != 0 && s.top == 0) return {s.counted, s.counted, s.counted};
    double done = 0;
    for (std::uint64_t at = s.top; at != 0; at = rows_at(at).below()) {
      double before = 0;
      double part = 0;
      rows_at(at).measure(state_.steps(), before, part);
      done = before + part * done;
    }
    SubtreeEstimate tree(s.counted, Grows::kYes);
    tree.seen(done);
    return tree.total(0, s.counted);
  }

  // Everything that was counted is counted again.
  static void begin_again(State& s) {
    const State before = s;
    s = State{};
    s.filled.search = before.filled.search + 1;
    s.atomics = before.atomics;
  }

  // Atomics whose accesses are events of their own, behind what is forced.
  void add_atomics(PlanWriter& plan, const State& s) const {
    SequenceRules& rules = plan.spec.sequence;
    for (std::uint32_t i = 0; i < s.atomics; ++i) {
      SequenceEvent& entry = plan.sequence[rules.count++];
      entry = {};
      entry.match = SequenceMatch::kAtomic;
      entry.object = atomics_[i];
    }
    rules.atomics = static_cast<std::uint8_t>(s.atomics);
    rules.order = SequenceOrder::kObject;
    rules.open = 1;
    rules.calls = 1;
  }

  // The execution has accesses to atomics in no order: these become objects, and the search begins again. Processes
  // that share a search see the same first levels, and begin again together there, not below.
  bool take_atomics(State& s, std::uint32_t depth) {
    const std::span<const LastingName> found = races_.undecided_atomics();
    if (found.empty()) return false;
    if (shards_ > 1 && depth >= kCommonDepth) {
      s.apart = 1;
      return false;
    }
    if (s.atomics + found.size() > kMaxSequenceAtomics) {
      s.too_big = 1;
      return false;
    }
    // Nobody looks behind the number of a state, so a step that is lost may have written there.
    for (const LastingName name : found) atomics_[s.atomics++] = name;
    return true;
  }

  // Run by every process, counted by the first.
  [[nodiscard]] bool is_for_another(std::uint32_t depth) const {
    return shards_ > 1 && depth < kCommonDepth && shard_ != 0;
  }

  // True: the execution has a row to be run next.
  bool take_in(State& s, const Execution& execution) {
    const std::uint32_t depth = s.top == 0 ? 0 : rows_at(s.top).depth() + 1;
    const bool counts = !is_for_another(depth);
    s.share = counts ? Share::kCounts : Share::kOfAnotherProcess;
    const ExecutionResult& result = execution.result;
    if (!ran_to_its_end(result.outcome)) {
      s.cut = 1;
      return false;
    }
    const bool fits = result.decisions <= execution.decisions.size() &&
                      steps_.finish(execution.trace, execution.decisions) && races_.take();
    if (!fits) {
      s.too_big = 1;
      return false;
    }
    if (races_.unmodelled().kind != OpKind::kNone) s.unmodelled = races_.unmodelled();
    if (s.unmodelled.kind == OpKind::kNone && take_atomics(s, depth)) {
      began_again_ = true;
      return false;
    }
    if (result.outcome != OutcomeKind::kDeadlock && result.outcome != OutcomeKind::kHeld && result.live_at_end > 1) {
      s.cut = 1;
    }
    if (s.accesses[0] == 0) std::copy_n(races_.unordered(), 2, s.accesses);
    if (const SequenceEvent* const missing = find_entries(); missing != nullptr) {
      if (!s.divergence.found()) note_divergence(s, *missing);
      if (counts) s.share = Share::kRedundant;
      return false;
    }
    // Whoever is held back could only be received where a new call has to be.
    const bool suspect = result.outcome == OutcomeKind::kHeld;
    if (suspect && counts) s.share = Share::kRedundant;
    s.suspects += suspect && counts;
    s.counted += !suspect && counts;
    if (!suspect && check_.came_before(races_, s.filled)) s.twice = 1;
    if (suspect && !reachability_rules.suspects) return false;
    find_columns(s);
    return column_count_ != 0 && push(s, depth);
  }

  bool push(State& s, std::uint32_t depth) {
    const std::uint64_t at = s.top == 0 ? 8 : s.top + rows_at(s.top).bytes();
    const RaceRows::Analysed analysed{races_,
                                      variant_,
                                      {entries_, races_.completed()},
                                      {columns_, column_count_},
                                      {alternatives_, alternative_count_},
                                      s.top,
                                      depth};
    if (2 * races_.count() + variant_.count + kMaxSequenceAtomics + 1 > kMaxSequence ||
        at + RaceRows::bytes_for(analysed) > kStackBytes) {
      s.too_big = 1;
      return false;
    }
    RaceRows& rows = RaceRows::write(stack_ + at, analysed, state_.steps());
    if (!advance(s, rows)) return false;
    s.top = at;
    return true;
  }

  // The next row of the execution that is ours.
  bool advance(State& s, RaceRows& rows) {
    bool more = rows.advance(state_.steps());
    if (shards_ == 1 || rows.depth() + 1 != kCommonDepth) return more;
    while (more && s.shared_out++ % shards_ != shard_) more = rows.advance_again(state_.steps());
    return more;
  }
  void go_on(State& s) {
    while (s.top != 0 && !advance(s, rows_at(s.top))) s.top = rows_at(s.top).below();
  }

  void note_divergence(State& s, const SequenceEvent& missing) const {
    s.divergence.thread = missing.thread;
    s.divergence.object = missing.object;
    s.divergence.number = missing.number;
    if (s.top != 0) rows_at(s.top).describe(missing, s.divergence);
  }

  // The variant's entry for each event of the execution. Not null: an event that it names and that did not come.
  const SequenceEvent* find_entries() {
    for (std::uint32_t i = 0; i < races_.count(); ++i) entries_[i] = nullptr;
    for (std::uint32_t e = 0; e < variant_.count; ++e) {
      const SequenceEvent& entry = variant_.list[e];
      const bool choice = Variant::is_choice(entry);
      if (entry.match == SequenceMatch::kOld && !choice) continue;
      std::uint32_t position = 0;  // of the entry on its object
      for (std::uint32_t k = 0; k < e && !choice; ++k) {
        const SequenceEvent& other = variant_.list[k];
        position += other.object == entry.object && other.match != SequenceMatch::kOld;
      }
      std::uint32_t found = RaceSets::kNone;
      for (std::uint32_t i = 0; i < races_.completed() && found == RaceSets::kNone; ++i) {
        const RaceSets::SequenceStep& event = races_[i];
        if (choice ? event.choice && event.thread == entry.thread && event.number == entry.number
                   : !event.choice && !event.withdrawn && event.object == entry.object && event.position == position) {
          found = i;
        }
      }
      if (found != RaceSets::kNone) {
        entries_[found] = &entry;
      } else if (entry.match != SequenceMatch::kAnyNew) {
        return &entry;
      }
    }
    return nullptr;
  }

  [[nodiscard]] bool is_old(std::uint32_t event) const { return entries_[event] != nullptr; }
  [[nodiscard]] bool is_black(std::uint32_t event) const {
    return entries_[event] != nullptr && (entries_[event]->pad & kBlackEntry) != 0;
  }
  [[nodiscard]] bool is_old_call(std::uint32_t event) const {
    for (std::uint32_t e = 0; e < variant_.count; ++e) {
      const SequenceEvent& entry = variant_.list[e];
      if (entry.match == SequenceMatch::kOld && entry.woken == 0 && entry.thread == races_[event].thread) {
        return races_[event].number <= entry.number;
      }
    }
    return false;
  }

  void find_columns(State& s) {
    column_count_ = 0;
    std::uint32_t used = 0;
    for (std::uint32_t i = 0; i < races_.completed(); ++i) {
      if (is_black(i) || races_[i].withdrawn) continue;
      RaceRows::Column column{i, used, 0};
      if (races_[i].choice) {
        for (std::uint32_t a = 0; a < races_[i].step->options && !is_old(i) && used < kMaxRaces; ++a) {
          if (a != races_[i].step->act.choice) alternatives_[used++] = a;
        }
      } else {
        for (std::uint32_t j = i + 1; j < races_.count() && used < kMaxRaces; ++j) {
          if (races_[j].choice || races_[j].object != races_[i].object) continue;
          if (reachability_rules.old_calls && is_old(i) && is_old_call(j)) continue;
          const Enabled open = races_.races(i, j);
          if (open == Enabled::kNo) continue;
          if (open == Enabled::kMaybe) s.unmodelled = {races_[j].step->act.op.kind, races_[j].step->act.op.location};
          alternatives_[used++] = j;
        }
      }
      if (used == kMaxRaces) s.too_big = 1;
      column.size = used - column.first;
      if (column.size != 0) columns_[column_count_++] = column;
    }
    alternative_count_ = used;
  }

  Steps steps_;
  RaceSets races_;
  std::uint32_t* alternatives_;  // calls, or alternatives of choices
  std::uint32_t alternative_count_ = 0;
  RaceRows::Column* columns_;
  std::uint32_t column_count_ = 0;
  const SequenceEvent** entries_;  // of the variant, by event
  LastingName* scratch_;
  unsigned char* stack_;
  LastingName* atomics_;  // that are objects: accesses to them are events
  Variant variant_;       // that was planned last; made again when a process begins
  SequenceCheck check_;
  bool began_again_ = false;  // the last execution showed an atomic that decides
  std::uint32_t shard_;
  std::uint32_t shards_;
  TwoSlots<State> state_;
};

}  // namespace

StrategyParts create_reachability(std::pmr::memory_resource& memory, const StrategyOptions& options,
                                  std::string_view&) {
  return make_strategy<Reachability>(memory, memory, options);
}

}  // namespace ravel
