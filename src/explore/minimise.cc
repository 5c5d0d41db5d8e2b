// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// minimise: from a schedule with a defect to the simplest one with the same defect: fewest preemptions, then fewest
// switches, threads, events. Five phases, each working on the best schedule so far:
//
//   given   the schedule as it is; what fails there is what is looked for
//   cut     only its beginning, the rest without preemption: most of a sampled schedule is noise
//   drop    turns are left out: all of a thread, then runs of them, half of all at first and one by one in the end, as
//   in
//           Zeller, Hildebrandt, "Simplifying and isolating failure-inducing input", TSE 2002. What a thread does not
//           do in its turn it does in its next one, or when nobody else can run. One execution each, whatever the
//           length.
//   merge   two turns of one thread become one, either moved up to the first or down to the second: the moves of
//           Jalbert, Sen, "A trace simplification technique for effective debugging of concurrent programs", FSE 2010
//   prove   all schedules with 0, 1, 2, ... preemptions (bounded.cc) until one shows the defect, leaving out what
//           cannot be better than the best; then none has fewer preemptions, and that is said
//
// Cut, drop and merge are quick on long programs and promise nothing; prove is exact and takes what time it takes. A
// budget that ends early leaves the best so far. Kill-safe: the state is in two slots, lists are written to where the
// committed state does not look.
#include "explore/minimise.h"

#include <span>

#include "base/hash.h"
#include "base/two_slots.h"
#include "explore/decision_path.h"
#include "explore/make_strategy.h"
#include "explore/sampling.h"
#include "explore/strategies.h"

namespace ravel {
namespace {

constexpr std::uint32_t kCuts = 16;
constexpr std::uint32_t kMostMergeRuns = 20'000;
constexpr std::uint32_t kManyTurns = 512;  // then only preempted ones are merged

enum class Phase : std::uint8_t { kGiven, kCut, kDrop, kMerge, kProve, kDone };

struct State {
  Phase phase = Phase::kGiven;
  OutcomeKind kind = OutcomeKind::kNotRun;
  std::uint8_t better = 0;   // the last execution is the best so far
  std::uint8_t unsound = 0;  // something kept the proof from covering everything
  std::uint64_t key = 0;
  ScheduleCost best;
  std::uint32_t slot = 0;  // of the best, if it is kept
  KeptSchedules::Size size;
  std::uint32_t improvements = 0;
  // cut, merge
  std::uint32_t move = 0;
  std::uint32_t try_slot = 0;
  std::uint32_t try_length = 0;
  std::uint32_t tries = 0;  // of this move
  std::uint32_t merge_runs = 0;
  // drop
  std::uint32_t chunk = 0;    // turns that are left out at once; 0: those of thread `move'
  std::uint32_t dropped = 0;  // in this round
  // prove
  std::uint32_t length = 0;
  std::uint32_t last = 0;
  std::uint32_t bound = 0;
  std::uint8_t passed_over = 0;
  std::uint32_t polished = 0;  // executions since nothing but switches can be gained
};

class Minimise final : public Strategy, public Observer, public TargetPlan {
 public:
  Minimise(std::pmr::memory_resource& memory, const StrategyOptions& options)
      : log_(memory),
        table_(memory),
        kept_(memory),
        path_(memory),
        before_(static_cast<Before*>(memory.allocate(sizeof(Before) * kMaxDecisions, alignof(Before)))),
        moved_(static_cast<Turn*>(memory.allocate(sizeof(Turn) * kMaxTurns, alignof(Turn)))),
        given_(static_cast<Segment*>(memory.allocate(sizeof(Segment) * (options.schedule.size() + 1)))),
        given_count_(static_cast<std::uint32_t>(options.schedule.size())),
        race_(options.target.race),
        detection_(options.target.detection),
        polish_(options.target.polish) {
    for (std::uint32_t i = 0; i < 2; ++i) {
      tries_[i] = static_cast<std::uint32_t*>(memory.allocate(sizeof(std::uint32_t) * KeptSchedules::kMaxChoices));
    }
    for (std::uint32_t i = 0; i < given_count_; ++i) given_[i] = options.schedule[i];
  }

  bool next(PlanWriter& plan) override {
    const State& s = state_.current();
    plan.spec.policy = PolicySpec{};
    plan.spec.data_seed = 0;
    switch (s.phase) {
      case Phase::kGiven:
        for (std::uint32_t i = 0; i < given_count_; ++i) plan.prefix[i] = given_[i];
        plan.spec.prefix_segments = given_count_;
        return true;
      case Phase::kCut:
        write_prefix(plan, kept_.choices(s.slot), cut_length(s));
        return true;
      case Phase::kDrop:
        write_turns_left(plan, s);
        return true;
      case Phase::kMerge:
        write_prefix(plan, tries_[s.try_slot], s.try_length);
        return true;
      case Phase::kProve:
        path_.write(plan, s.length, s.last);
        return true;
      case Phase::kDone:
        break;
    }
    return false;
  }

  [[nodiscard]] Wants wants() const override { return kWantsClasses | kWantsQuiet | kWantsKnown; }
  void begin(const TraceView&) override { log_.begin(); }
  void on_event(const Event& event, const Moment&) override { log_.add(event); }

  Share learn(const Execution& execution) override {
    State& s = state_.prepare();
    const bool hit = shows_target(s, execution);
    const ScheduleCost cost = cost_of(execution.result);
    s.better = hit && cost < s.best ? 1 : 0;
    if (s.better != 0) {
      s.best = cost;
      s.slot = 1 - s.slot;
      s.size = kept_.write(s.slot, execution, log_, table_);
      ++s.improvements;
    }
    switch (s.phase) {
      case Phase::kGiven:
        if (hit) {
          begin_cut(s);
        } else {
          s.phase = Phase::kDone;
        }
        break;
      case Phase::kCut:
        if (s.better != 0) {
          begin_cut(s);
        } else if (++s.move == kCuts) {
          begin_drop(s);
        }
        break;
      case Phase::kDrop:
        learn_drop(s);
        break;
      case Phase::kMerge:
        learn_merge(s, execution);
        break;
      case Phase::kProve:
        learn_proof(s, execution);
        break;
      case Phase::kDone:
        break;
    }
    state_.commit();
    return Share::kCounts;
  }

  void recover(std::uint64_t learned) override { state_.recover(learned); }

  // Kept: nothing with fewer preemptions exists. Complete: nothing simpler exists at all.
  [[nodiscard]] SearchVerdict verdict(std::uint64_t) const override {
    const State& s = state_.current();
    const bool hit = s.improvements != 0;
    const bool proved = s.best.preemptions == 0 || (s.phase >= Phase::kProve && s.bound >= s.best.preemptions);
    const bool kept = hit && s.unsound == 0 && proved;
    return {.complete = kept && s.phase == Phase::kDone,
            .kept = kept,
            .note = hit ? "" : "the given schedule does not show the defect"};
  }

  [[nodiscard]] HandedOver handed_over() const override {
    const State& s = state_.current();
    return {.this_one = s.better != 0, .key = hash_combine(s.key, s.improvements), .kind = s.kind};
  }

 private:
  // Before a decision on the path.
  struct Before {
    std::uint32_t switches;
    ThreadIndex last;
  };

  bool shows_target(State& s, const Execution& execution) const {
    const ExecutionResult& result = execution.result;
    if (race_ != 0) {
      s.kind = OutcomeKind::kDataRace;
      s.key = race_;
      for (std::uint32_t i = 0; i < result.races && i < kMaxRaces; ++i) {
        if (execution.race_key(result.race_table[i]) == race_) return true;
      }
      return false;
    }
    if (detection_ != 0) {
      s.key = detection_;
      for (std::uint32_t i = 0; i < result.detections && i < kMaxDetections; ++i) {
        if (result.detection_table[i].key != detection_) continue;
        s.kind = result.detection_table[i].kind;
        return true;
      }
      return false;
    }
    if (!is_defect(result.outcome)) return false;
    const std::uint64_t key = execution.outcome_key(result);
    if (s.phase == Phase::kGiven) {
      s.kind = result.outcome;
      s.key = key;
    }
    return key == s.key && result.outcome == s.kind;
  }

  // --- cut ---
  [[nodiscard]] static std::uint32_t cut_length(const State& s) {
    return static_cast<std::uint32_t>(std::uint64_t{s.size.choices} * s.move / kCuts);
  }
  static void begin_cut(State& s) {
    s.phase = s.best.preemptions == 0 && s.best.switches == 0 ? Phase::kDone : Phase::kCut;
    s.move = 0;
    if (s.size.choices != 0) return;
    // An endless run has no shape to work on, and searching all of them is hopeless.
    s.phase = s.kind == OutcomeKind::kStepLimit ? Phase::kDone : Phase::kProve;
  }

  // --- drop ---
  void begin_drop(State& s) {
    s.phase = Phase::kDrop;
    s.move = s.chunk = s.dropped = 0;
    find_drop(s);
  }

  [[nodiscard]] static bool is_dropped(const State& s, const Turn& turn, std::uint32_t at) {
    if (s.chunk == 0) return turn.thread == s.move;
    return at >= s.move && at - s.move < s.chunk;
  }
  // Only a turn that was broken off costs a preemption.
  [[nodiscard]] bool drops_something(const State& s) const {
    const Turn* turns = kept_.turns(s.slot);
    for (std::uint32_t i = 0; i < s.size.turns; ++i) {
      if (turns[i].broken != 0 && is_dropped(s, turns[i], i)) return true;
    }
    return false;
  }

  // `move` is the first that might be worth an execution; in the end the next phase.
  void find_drop(State& s) {
    while (s.size.turns != 0 && s.best.preemptions != 0) {
      const std::uint32_t end = s.chunk == 0 ? s.best.threads : s.size.turns;
      for (; s.move < end; s.move += s.chunk == 0 ? 1 : s.chunk) {
        if (drops_something(s)) return;
      }
      if (s.chunk == 1 && s.dropped == 0) break;  // each of them is needed
      s.chunk = s.chunk == 0 ? (s.size.turns + 1) / 2 : s.chunk > 1 ? (s.chunk + 1) / 2 : 1;
      if (s.chunk > s.size.turns) s.chunk = s.size.turns;
      s.move = s.dropped = 0;
    }
    begin_merge(s);
  }

  void learn_drop(State& s) {
    if (s.better != 0) {
      ++s.dropped;  // what comes next has moved up
      if (s.chunk == 0) ++s.move;
    } else {
      s.move += s.chunk == 0 ? 1 : s.chunk;
    }
    find_drop(s);
  }

  void write_turns_left(PlanWriter& plan, const State& s) const {
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < s.size.data; ++i) plan.prefix[count++] = {kDataChoice | kept_.data(s.slot)[i], 1};
    const Turn* turns = kept_.turns(s.slot);
    for (std::uint32_t i = 0; i < s.size.turns; ++i) {
      if (!is_dropped(s, turns[i], i)) plan.prefix[count++] = {turns[i].thread, turns[i].until};
    }
    plan.spec.prefix_segments = count;
    plan.spec.prefix_kind = PrefixKind::kTurns;
  }

  // --- merge ---
  void begin_merge(State& s) {
    s.phase = Phase::kMerge;
    s.move = 0;
    find_move(s);
  }

  // Two moves for each turn: 2i takes the thread's next turn up to it, 2i + 1 leaves it to the next one.
  void find_move(State& s) {
    const Turn* turns = kept_.turns(s.slot);
    for (; s.merge_runs < kMostMergeRuns && s.move < 2 * s.size.turns; ++s.move) {
      const std::uint32_t at = s.move / 2;
      if (s.size.turns > kManyTurns && turns[at].broken == 0) continue;
      if (next_of_thread(turns, s.size.turns, at) == s.size.turns) continue;
      const std::uint32_t from = s.move % 2 == 0 ? at + 1 : at;
      s.try_slot = 1 - s.try_slot;
      s.try_length = from < s.size.turns ? turns[from].start : s.size.choices;
      for (std::uint32_t i = 0; i < s.try_length; ++i) tries_[s.try_slot][i] = kept_.choices(s.slot)[i];
      s.tries = 0;
      return;
    }
    s.phase = Phase::kProve;
    s.length = s.last = s.bound = 0;
  }

  static std::uint32_t next_of_thread(const Turn* turns, std::uint32_t count, std::uint32_t at) {
    std::uint32_t next = at + 1;
    while (next < count && turns[next].thread != turns[at].thread) ++next;
    return next;
  }

  std::span<const Turn> moved_turns(const State& s) const {
    const Turn* turns = kept_.turns(s.slot);
    const std::uint32_t at = s.move / 2;
    const std::uint32_t second = next_of_thread(turns, s.size.turns, at);
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < s.size.turns; ++i) {
      if (i == (s.move % 2 == 0 ? second : at)) continue;
      moved_[count] = turns[i];
      if (i == at) moved_[count].until = turns[second].until;
      ++count;
    }
    return {moved_, count};
  }

  void learn_merge(State& s, const Execution& execution) {
    ++s.merge_runs;
    if (s.better != 0) {  // the list is another one now
      if (s.size.turns == 0) s.move = 0;
      s.move = s.move < 4 ? 0 : s.move - 4;
      return find_move(s);
    }
    const Departure departure = table_.departure(execution, log_, moved_turns(s), {kept_.data(s.slot), s.size.data});
    const bool corrects = departure.kind == Departure::Kind::kFound && departure.decision >= s.try_length &&
                          departure.decision < KeptSchedules::kMaxChoices && ++s.tries <= s.size.turns + 8;
    if (corrects) {
      const DecisionRecord& there = execution.decisions[departure.decision];
      const std::uint32_t spent =
          preemptions_in(execution.decisions, departure.decision) + (preempts(there, departure.wish) ? 1 : 0);
      if (spent <= s.best.preemptions) {
        s.try_slot = 1 - s.try_slot;
        for (std::uint32_t i = 0; i < departure.decision; ++i) tries_[s.try_slot][i] = execution.decisions[i].chosen;
        tries_[s.try_slot][departure.decision] = departure.wish;
        s.try_length = departure.decision + 1;
        return;
      }
    }
    ++s.move;
    find_move(s);
  }

  // --- prove ---
  void learn_proof(State& s, const Execution& execution) {
    if (!ran_to_its_end(execution.result.outcome) && execution.result.outcome != s.kind) s.unsound = 1;
    if (s.length != 0) path_[s.length - 1].current = s.last;
    const std::uint32_t prefix = s.length;
    const DecisionPath::Fit fit = path_.extend(execution, &s.length);
    if (fit != DecisionPath::Fit::kFits) s.unsound = 1;
    note_switches(execution, prefix, s.length);
    if (s.bound >= s.best.preemptions && s.better == 0 && ++s.polished > polish_) {
      s.phase = Phase::kDone;
      return;
    }
    step_on(s);
  }

  // Switches and who ran last before each decision of the path behind the prefix.
  void note_switches(const Execution& execution, std::uint32_t prefix, std::uint32_t length) {
    std::uint32_t switches = 0;
    ThreadIndex last = kNoThread;
    std::uint32_t e = 0;
    for (std::uint32_t d = 0; d < length && d < execution.decisions.size(); ++d) {
      const bool is_data = (execution.decisions[d].chosen & kDataChoice) != 0;
      for (; !is_data && e < log_.count() && !log_.decided(e); ++e) count_switch(e, &switches, &last);
      if (d >= prefix) before_[d] = {switches, last};
      if (!is_data && e < log_.count()) count_switch(e++, &switches, &last);
    }
  }
  void count_switch(std::uint32_t e, std::uint32_t* switches, ThreadIndex* last) const {
    if (*last != kNoThread && *last != log_.thread(e)) ++*switches;
    *last = log_.thread(e);
  }

  [[nodiscard]] std::uint32_t price(const DecisionPath::Entry& entry, std::uint32_t rank) const {
    return entry.threads_at != kNotListed && entry.running != kNoThread && path_.choice(entry, rank) != entry.running;
  }

  // Whether the prefix cannot lead to anything better.
  [[nodiscard]] bool hopeless(const State& s, std::uint32_t preemptions, std::uint32_t switches) const {
    if (preemptions != s.best.preemptions) return preemptions > s.best.preemptions;
    return switches > s.best.switches;
  }

  // The deepest decision with an alternative that is affordable and not hopeless; if there is none, the next bound.
  void step_on(State& s) const {
    std::uint32_t spent = 0;
    for (std::uint32_t i = 0; i < s.length; ++i) spent += price(path_[i], path_[i].current);
    for (; s.length > 0; --s.length) {
      const DecisionPath::Entry& entry = path_[s.length - 1];
      spent -= price(entry, entry.current);
      for (std::uint32_t rank = after(entry, entry.current); rank != entry.first; rank = after(entry, rank)) {
        const std::uint32_t preemptions = spent + price(entry, rank);
        const Before& before = before_[s.length - 1];
        const bool switches = entry.threads_at != kNotListed && path_.choice(entry, rank) != before.last;
        if (hopeless(s, preemptions, before.switches + switches)) continue;
        if (preemptions > s.bound) {
          s.passed_over = 1;
          continue;
        }
        s.last = rank;
        return;
      }
    }
    s.last = 0;
    if (s.passed_over == 0 || s.bound >= s.best.preemptions) {
      if (s.passed_over == 0) s.bound = s.best.preemptions;  // everything was seen
      s.phase = Phase::kDone;
    } else {
      ++s.bound;
      s.passed_over = 0;
    }
  }

  static std::uint32_t after(const DecisionPath::Entry& entry, std::uint32_t rank) {
    return rank + 1 == entry.options ? 0 : rank + 1;
  }

  EventLog log_;
  mutable TurnTable table_;
  KeptSchedules kept_;
  DecisionPath path_;
  Before* before_;
  Turn* moved_;  // scratch
  std::uint32_t* tries_[2];
  Segment* given_;
  std::uint32_t given_count_;
  std::uint64_t race_;
  std::uint64_t detection_;
  std::uint64_t polish_;
  TwoSlots<State> state_;
};

}  // namespace

StrategyParts create_minimise(std::pmr::memory_resource& memory, const StrategyOptions& options,
                              std::string_view& error) {
  if (options.schedule.empty()) {
    error = kNeedsPlan;
    return {};
  }
  return make_strategy<Minimise>(memory, memory, options);
}

}  // namespace ravel
