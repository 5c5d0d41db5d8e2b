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
// wait, and the mutex that a wait gives back, are part of what happens before; rows are made at once and wait on a
// stack, whose length is bounded by the number of sequences.
#include <cstring>

#include "base/two_slots.h"
#include "explore/make_strategy.h"
#include "explore/race_sets.h"
#include "explore/sampling.h"
#include "explore/sequence_check.h"
#include "explore/strategies.h"

namespace ravel {

ReachabilityRules reachability_rules;

namespace {

constexpr std::uint32_t kMaxRaces = 1u << 14;
constexpr std::size_t kStackBytes = std::size_t{96} << 20;

// Of an entry of a variant: SequenceEvent::pad.
constexpr std::uint8_t kBlack = 1;

struct Variant {
  std::uint64_t below = 0;  // of the stack; 0: none
  std::uint32_t count = 0;
  std::uint32_t pad = 0;
  SequenceEvent list[1];

  static std::size_t bytes(std::uint32_t count) { return sizeof(Variant) + sizeof(SequenceEvent) * count; }
};

class Reachability final : public Strategy, public Observer {
 public:
  Reachability(std::pmr::memory_resource& memory, bool self_check)
      : steps_(memory, StepOrder::kSequences),
        races_(memory, steps_),
        alternatives_(room<std::uint32_t>(memory, kMaxRaces)),
        columns_(room<Column>(memory, RaceSets::kMaxEvents)),
        entries_(room<const SequenceEvent*>(memory, RaceSets::kMaxEvents)),
        cut_(room<LastingName>(memory, RaceSets::kMaxEvents)),
        stack_(room<unsigned char>(memory, kStackBytes)),
        check_(memory, self_check) {}

  bool next(PlanWriter& plan) override {
    const State& s = state_.current();
    if (s.started != 0 && s.head == 0) return false;
    plan.spec.policy = PolicySpec{};
    plan.spec.prefix_segments = 0;
    plan.spec.record_steps = 1;
    plan.spec.sequence = {};
    if (s.head == 0) return true;
    const Variant& variant = at(s.head);
    std::memcpy(plan.sequence.data(), variant.list, sizeof(SequenceEvent) * variant.count);
    plan.spec.sequence.count = variant.count;
    plan.spec.sequence.order = SequenceOrder::kObject;
    plan.spec.sequence.open = 1;
    return true;
  }

  void begin(const TraceView& trace) override { steps_.begin(trace); }
  [[nodiscard]] Wants wants() const override { return kWantsClasses | kWantsKnown; }
  void on_event(const Event& event, const Moment& moment) override { steps_.add(event, moment.operand); }

  Share learn(const Execution& execution) override {
    State& s = state_.prepare();
    if (execution.points_grew) {
      const std::uint32_t search = s.filled.search + 1;
      s = State{};
      s.filled.search = search;
    } else {
      take_in(s, execution);
    }
    state_.commit();
    return state_.current().share;
  }
  void recover(std::uint64_t learned) override { state_.recover(learned); }

  [[nodiscard]] SearchVerdict verdict(std::uint64_t) const override {
    const State& s = state_.current();
    const bool sound = s.diverged == 0 && s.twice == 0 && !check_.is_full(s.filled) && s.too_big == 0 && s.cut == 0 &&
                       s.unmodelled.kind == OpKind::kNone;
    SearchVerdict verdict;
    verdict.complete = verdict.kept = s.started != 0 && s.head == 0 && sound;
    verdict.unmodelled = s.unmodelled;
    verdict.note = note(s);
    if (verdict.complete) verdict.estimate = {s.counted, s.counted, s.counted};
    return verdict;
  }

 private:
  struct State {
    std::uint64_t head = 0;  // the variant to be run
    std::uint64_t counted = 0;
    std::uint8_t started = 0;
    std::uint8_t diverged = 0;
    std::uint8_t too_big = 0;
    std::uint8_t cut = 0;
    std::uint8_t twice = 0;
    SequenceCheck::Filled filled;
    Share share = Share::kCounts;
    Unmodelled unmodelled;
  };
  // An event that can be changed. Digits: 0 as it was, n the n-th alternative, kGone it does not happen.
  struct Column {
    std::uint32_t event = 0;
    std::uint32_t first = 0;  // of alternatives_
    std::uint32_t size = 0;
    std::uint32_t digit = 0;
  };
  static constexpr std::uint32_t kGone = 0xffffffffu;

  template <class T>
  static T* room(std::pmr::memory_resource& memory, std::size_t count) {
    return static_cast<T*>(memory.allocate(sizeof(T) * count, alignof(T) < 8 ? 8 : alignof(T)));
  }
  // Offsets are from 8 on: 0 is none.
  [[nodiscard]] Variant& at(std::uint64_t offset) { return *reinterpret_cast<Variant*>(stack_ + offset); }

  [[nodiscard]] std::string_view note(const State& s) const {
    if (s.unmodelled.kind != OpKind::kNone) return "reachability testing cannot reason about an operation: use dpor";
    if (s.diverged != 0) return "a variant could not be forced: data without synchronisation decides an operation";
    if (s.twice != 0) return "self-check: a sequence came twice, which is a defect of the search";
    if (check_.is_full(s.filled)) return "self-check: no room for more fingerprints";
    if (s.too_big != 0) return "some executions are too long for the search";
    if (s.cut != 0) return "some executions ended while other threads could go on";
    return {};
  }

  void take_in(State& s, const Execution& execution) {
    const Variant* const variant = s.head == 0 ? nullptr : &at(s.head);
    const std::uint64_t below = variant == nullptr ? 0 : variant->below;
    free_ = variant == nullptr ? 8 : s.head + Variant::bytes(variant->count);
    s.started = 1;
    s.share = Share::kCounts;
    const std::uint64_t was = s.head;
    s.head = below;
    const ExecutionResult& result = execution.result;
    if (!ran_to_its_end(result.outcome)) {
      ++s.cut;
      return;
    }
    const bool fits = result.decisions <= execution.decisions.size() &&
                      steps_.finish(execution.trace, execution.decisions) && races_.take();
    if (!fits) {
      s.too_big = 1;
      return;
    }
    variant_ = was == 0 ? nullptr : &at(was);
    if (races_.unmodelled().kind != OpKind::kNone) s.unmodelled = races_.unmodelled();
    if (result.outcome != OutcomeKind::kDeadlock && result.outcome != OutcomeKind::kHeld && result.live_at_end > 1) {
      s.cut = 1;
    }
    if (!find_entries()) {
      s.diverged = 1;
      s.share = Share::kRedundant;
      return;
    }
    // Whoever is held back could only be received where a new call has to be.
    const bool suspect = result.outcome == OutcomeKind::kHeld;
    if (suspect) s.share = Share::kRedundant;
    if (!suspect) ++s.counted;
    if (!suspect && check_.came_before(races_, s.filled)) s.twice = 1;
    if (suspect && !reachability_rules.suspects) return;
    find_columns(s);
    make_variants(s);
  }

  // The variant's entry for each event of the execution. False: an event that it names did not come.
  bool find_entries() {
    for (std::uint32_t i = 0; i < races_.count(); ++i) entries_[i] = nullptr;
    if (variant_ == nullptr) return true;
    for (std::uint32_t e = 0; e < variant_->count; ++e) {
      const SequenceEvent& entry = variant_->list[e];
      const bool choice = is_choice(entry);
      if (entry.match == SequenceMatch::kOld && !choice) continue;
      std::uint32_t position = 0;  // of the entry on its object
      for (std::uint32_t k = 0; k < e && !choice; ++k) {
        const SequenceEvent& other = variant_->list[k];
        position += other.object == entry.object && other.match != SequenceMatch::kOld;
      }
      std::uint32_t found = RaceSets::kNone;
      for (std::uint32_t i = 0; i < races_.completed() && found == RaceSets::kNone; ++i) {
        const RaceSets::SequenceStep& event = races_[i];
        if (choice ? event.choice && event.thread == entry.thread && event.number == entry.number
                   : !event.choice && event.object == entry.object && event.position == position) {
          found = i;
        }
      }
      if (found != RaceSets::kNone) {
        entries_[found] = &entry;
      } else if (entry.match != SequenceMatch::kAnyNew) {
        return false;
      }
    }
    return true;
  }
  static bool is_choice(const SequenceEvent& entry) { return entry.match == SequenceMatch::kOld && entry.woken != 0; }

  [[nodiscard]] bool is_old(std::uint32_t event) const { return entries_[event] != nullptr; }
  [[nodiscard]] bool is_black(std::uint32_t event) const {
    return entries_[event] != nullptr && (entries_[event]->pad & kBlack) != 0;
  }
  [[nodiscard]] bool is_old_call(std::uint32_t event) const {
    if (variant_ == nullptr) return false;
    for (std::uint32_t e = 0; e < variant_->count; ++e) {
      const SequenceEvent& entry = variant_->list[e];
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
      if (is_black(i)) continue;
      Column column{i, used, 0, 0};
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
  }

  // A column that another one was changed before: it is left out, unless its object would receive all the same.
  [[nodiscard]] bool survives(std::uint32_t event, std::uint32_t changed) const {
    return reachability_rules.recollection && is_old(event) && !races_.is_before_control(changed, event);
  }

  // All rows of the race table but zero, each a number with one digit per column.
  void make_variants(State& s) {
    for (;;) {
      std::uint32_t at = column_count_;
      while (at > 0 && (columns_[at - 1].digit == kGone || columns_[at - 1].digit == columns_[at - 1].size)) --at;
      if (at == 0) return;
      ++columns_[at - 1].digit;
      for (std::uint32_t j = at; j < column_count_; ++j) {
        columns_[j].digit = 0;
        for (std::uint32_t i = 0; i < at && columns_[j].digit == 0; ++i) {
          if (is_changed(i) && races_.is_before(columns_[i].event, columns_[j].event) &&
              !survives(columns_[j].event, columns_[i].event)) {
            columns_[j].digit = kGone;
          }
        }
      }
      if (calls_are_left() && !push(s)) return;
    }
  }
  [[nodiscard]] bool is_changed(std::uint32_t column) const {
    return columns_[column].digit != 0 && columns_[column].digit != kGone;
  }
  [[nodiscard]] std::uint32_t new_call(std::uint32_t column) const {
    return alternatives_[columns_[column].first + columns_[column].digit - 1];
  }
  // A call that is to be received instead must not come behind another change.
  [[nodiscard]] bool calls_are_left() const {
    if (!reachability_rules.calls_left) return true;
    for (std::uint32_t j = 0; j < column_count_; ++j) {
      if (!is_changed(j)) continue;
      for (std::uint32_t i = 0; i < column_count_; ++i) {
        if (!is_changed(i) || i == j) continue;
        const bool choice = races_[columns_[j].event].choice;
        if (choice ? races_.is_before_control(columns_[i].event, columns_[j].event)
                   : races_.is_before_call(columns_[i].event, new_call(j))) {
          return false;
        }
      }
    }
    return true;
  }

  [[nodiscard]] std::uint32_t column_of(std::uint32_t event) const {
    for (std::uint32_t c = 0; c < column_count_; ++c) {
      if (columns_[c].event == event) return c;
    }
    return RaceSets::kNone;
  }
  template <class Before>
  [[nodiscard]] bool changed_before(Before&& before) const {
    for (std::uint32_t c = 0; c < column_count_; ++c) {
      if (is_changed(c) && before(columns_[c].event)) return true;
    }
    return false;
  }
  // It is black in the new variant: it was, or it happens before what is changed, as that will be.
  [[nodiscard]] bool becomes_black(std::uint32_t event) const {
    if (is_black(event)) return true;
    if (!reachability_rules.blacken_past) return false;
    for (std::uint32_t c = 0; c < column_count_; ++c) {
      if (!is_changed(c)) continue;
      const std::uint32_t changed = columns_[c].event;
      if (changed == event) continue;
      if (races_.is_before_control(event, changed)) return true;
      if (!races_[changed].choice && races_.is_before_call(event, new_call(c))) return true;
    }
    return false;
  }

  bool push(State& s) {
    // As many entries as events, old threads and what is carried over, at most.
    const std::uint32_t most = races_.count() * 2 + (variant_ == nullptr ? 0 : variant_->count) + 1;
    if (most > kMaxSequence || free_ + Variant::bytes(most) > kStackBytes) {
      s.too_big = 1;
      return false;
    }
    Variant& made = at(free_);
    made.count = 0;
    made.below = s.head;
    cut_count_ = 0;
    for (std::uint32_t i = 0; i < races_.completed(); ++i) put_event(made, i);
    carry_over(made);
    put_calls(made);
    s.head = free_;
    free_ += Variant::bytes(made.count);
    free_ = (free_ + 7) & ~std::uint64_t{7};
    return true;
  }

  [[nodiscard]] bool is_cut(LastingName object) const {
    for (std::uint32_t i = 0; i < cut_count_; ++i) {
      if (cut_[i] == object) return true;
    }
    return false;
  }

  void put_event(Variant& made, std::uint32_t i) {
    const RaceSets::SequenceStep& event = races_[i];
    if (!event.choice && is_cut(event.object)) return;
    const std::uint32_t column = column_of(i);
    const bool changed = column != RaceSets::kNone && is_changed(column);
    const bool after = changed_before([&](std::uint32_t c) { return c != i && races_.is_before(c, i); });
    const bool stays = reachability_rules.recollection && is_old(i) && !is_black(i) && !event.choice &&
                       !changed_before([&](std::uint32_t c) { return c != i && races_.is_before_control(c, i); });
    SequenceEvent entry;
    entry.object = event.object;
    entry.pad = changed || becomes_black(i) ? kBlack : 0;
    if (changed && !event.choice) {
      entry.thread = races_[new_call(column)].thread;
      entry.number = races_[new_call(column)].number;
    } else if (!after || changed) {
      entry.thread = event.thread;
      entry.number = event.number;
    } else if (stays) {
      entry.match = SequenceMatch::kAnyNew;
    } else {
      if (!event.choice) cut_[cut_count_++] = event.object;
      return;
    }
    if (event.choice) {
      entry.match = SequenceMatch::kOld;
      entry.woken = 1 + (changed ? new_call(column) : event.step->act.choice);
    }
    made.list[made.count++] = entry;
  }

  // Places for a new call that nothing came to.
  void carry_over(Variant& made) {
    for (std::uint32_t e = 0; variant_ != nullptr && e < variant_->count; ++e) {
      const SequenceEvent& entry = variant_->list[e];
      if (entry.match != SequenceMatch::kAnyNew || is_filled(entry) || is_cut(entry.object)) continue;
      std::uint32_t last = RaceSets::kNone;
      for (std::uint32_t i = 0; i < races_.completed(); ++i) {
        if (!races_[i].choice && races_[i].object == entry.object) last = i;
      }
      const bool touched =
          last != RaceSets::kNone && changed_before([&](std::uint32_t c) { return races_.is_before(c, last); });
      if (!touched) made.list[made.count++] = entry;
    }
  }
  [[nodiscard]] bool is_filled(const SequenceEvent& entry) const {
    for (std::uint32_t i = 0; i < races_.completed(); ++i) {
      if (entries_[i] == &entry) return true;
    }
    return false;
  }

  // Of each thread, the calls that no change comes before.
  void put_calls(Variant& made) const {
    for (std::uint32_t i = 0; i < races_.count(); ++i) {
      if (races_[i].choice || races_[i].number != 1) continue;
      SequenceEvent entry;
      entry.match = SequenceMatch::kOld;
      entry.thread = races_[i].thread;
      for (std::uint32_t j = i; j < races_.count(); ++j) {
        if (races_[j].choice || races_[j].thread != entry.thread) continue;
        if (changed_before([&](std::uint32_t c) { return races_.is_before_call(c, j); })) break;
        entry.number = races_[j].number;
      }
      if (entry.number != 0) made.list[made.count++] = entry;
    }
  }

  Steps steps_;
  RaceSets races_;
  std::uint32_t* alternatives_;  // calls, or alternatives of choices
  Column* columns_;
  std::uint32_t column_count_ = 0;
  const SequenceEvent** entries_;  // of the variant, by event
  LastingName* cut_;
  std::uint32_t cut_count_ = 0;
  unsigned char* stack_;
  std::uint64_t free_ = 8;  // behind the variant that was run
  const Variant* variant_ = nullptr;
  SequenceCheck check_;
  TwoSlots<State> state_;
};

}  // namespace

StrategyParts create_reachability(std::pmr::memory_resource& memory, const StrategyOptions& options,
                                  std::string_view&) {
  return make_strategy<Reachability>(memory, memory, options.parameters["self-check"] != 0);
}

}  // namespace ravel
