// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// best-first: guided search over prefixes of schedules. Each execution's decisions give as many prefixes that take
// another alternative there; they wait in a queue of limited length, the best is run next, and when the queue is full
// the worst is dropped. What is good is a heuristic (heuristics.h); lower is better throughout.
//
// A queue that ran empty covers the tree only if nothing was ever dropped, and the result says which it was. Prefixes
// too long for a slot count as dropped.
//
// A killed worker's step is undone by the journal. Slots that were given back in a step are not written in it.
#include <new>

#include "base/journal.h"
#include "explore/heuristics.h"
#include "explore/parameters.h"
#include "explore/sampling.h"
#include "explore/strategies.h"
#include "model/policy_depth.h"

namespace ravel {
namespace {

constexpr std::uint32_t kMostSegments = 512;
constexpr std::uint32_t kJournalEntries = 1u << 20;

struct Slot {
  std::int64_t score;   // lower is better
  std::uint64_t order;  // of two equal ones the later is better: closer to what was just run
  std::uint32_t segments;
  std::uint8_t used;
  std::uint8_t given_back;  // in this step
};

class BestFirst final : public Strategy, public Observer {
 public:
  BestFirst(std::pmr::memory_resource& memory, Heuristic heuristic, ThreadIndex preferred, std::uint32_t room)
      : journal_(memory, kJournalEntries),
        scores_(memory, journal_, heuristic, preferred),
        guided_(needs_guide(heuristic)),
        by_(heuristic == Heuristic::kProperty ? kByProperty : kByDistance),
        room_(room),
        slots_(static_cast<Slot*>(memory.allocate(sizeof(Slot) * 2 * room, alignof(Slot)))),
        prefixes_(
            static_cast<Segment*>(memory.allocate(sizeof(Segment) * 2 * room * kMostSegments, alignof(Segment)))) {
    for (std::uint32_t i = 0; i < 2 * room_; ++i) slots_[i] = Slot{};
  }

  bool next(PlanWriter& plan) override {
    if (finished_ != 0) return false;
    plan.spec.policy = PolicySpec{};
    if (guided_) {
      plan.spec.policy.kind = PolicyKind::kGuided;
      plan.spec.policy.depth = by_;
      plan.spec.policy.seed = journal_.steps() + 1;
    }
    plan.spec.prefix_segments = 0;
    if (present_ == kNone) return true;
    const Slot& slot = slots_[present_];
    for (std::uint32_t i = 0; i < slot.segments; ++i) plan.prefix[i] = prefix_of(present_)[i];
    plan.spec.prefix_segments = slot.segments;
    return true;
  }

  void begin(const TraceView& trace) override { scores_.begin(trace); }
  [[nodiscard]] Wants wants() const override { return kWantsClasses | kWantsQuiet | kWantsKnown; }
  void on_event(const Event& event, const Moment&) override { scores_.observe(event); }

  Share learn(const Execution& execution) override {
    journal_.begin();
    if (execution.points_grew) {
      for (std::uint32_t i = 0; i < 2 * room_; ++i) {
        if (slots_[i].used != 0) journal_.set(slots_[i].used, std::uint8_t{0});
      }
      for (std::uint8_t* flag : {&finished_, &cut_, &diverged_}) journal_.set(*flag, std::uint8_t{0});
      journal_.set(dropped_, std::uint64_t{0});
      journal_.set(waiting_, std::uint32_t{0});
      journal_.set(present_, kNone);
    } else {
      take_in(execution);
      pick();
    }
    for (std::uint32_t i = 0; i < 2 * room_; ++i) slots_[i].given_back = 0;
    journal_.commit();
    return Share::kCounts;
  }

  void recover(std::uint64_t learned) override {
    journal_.recover(learned);
    for (std::uint32_t i = 0; i < 2 * room_; ++i) slots_[i].given_back = 0;
  }

  [[nodiscard]] SearchVerdict verdict(std::uint64_t) const override {
    const bool complete = finished_ != 0 && cut_ == 0 && diverged_ == 0 && dropped_ == 0;
    return {.complete = complete, .kept = complete, .note = note()};
  }

 private:
  [[nodiscard]] std::string_view note() const {
    if (diverged_ != 0) return "a prefix did not fit when it was run again: the program is not deterministic";
    if (cut_ != 0) return "some executions were cut, or are too long for the search";
    if (finished_ != 0 && dropped_ != 0) return "the queue is exhausted, but prefixes were dropped: not complete";
    if (dropped_ != 0) return "prefixes were dropped from the queue: not complete";
    return {};
  }

  static constexpr std::uint32_t kNone = 0xffffffffu;

  [[nodiscard]] Segment* prefix_of(std::uint32_t slot) const { return prefixes_ + std::size_t{slot} * kMostSegments; }

  void raise(std::uint8_t& flag) {
    if (flag == 0) journal_.set(flag, std::uint8_t{1});
  }

  // Every decision behind the prefix gives its alternatives.
  void take_in(const Execution& execution) {
    const OutcomeKind outcome = execution.result.outcome;
    if (!ran_to_its_end(outcome)) raise(outcome == OutcomeKind::kDiverged ? diverged_ : cut_);
    if (outcome == OutcomeKind::kDiverged) return;
    if (execution.result.decisions > execution.decisions.size()) raise(cut_);
    std::uint32_t known = 0;
    if (present_ != kNone) {
      for (std::uint32_t i = 0; i < slots_[present_].segments; ++i) known += prefix_of(present_)[i].count;
    }
    scores_.finish(execution);
    const auto count = static_cast<std::uint32_t>(execution.decisions.size());
    for (std::uint32_t d = known; d < count; ++d) {
      const DecisionRecord& decision = execution.decisions[d];
      const bool data = (decision.chosen & kDataChoice) != 0;
      if (!data && (decision.enabled_at > kMaxEnabled || decision.options > kMaxEnabled - decision.enabled_at)) {
        raise(cut_);
        continue;
      }
      for (std::uint32_t rank = 0; rank < decision.options; ++rank) {
        const std::uint32_t choice =
            data ? kDataChoice | rank : execution.trace.enabled[decision.enabled_at + rank].number();
        if (choice != decision.chosen) offer(execution, d, choice);
      }
    }
  }

  void offer(const Execution& execution, std::uint32_t decision, std::uint32_t choice) {
    if (!journal_.has_room(256)) return raise(cut_);
    const std::int64_t score = scores_.of(execution, decision, choice);
    if (waiting_ == room_) {
      const std::uint32_t worst = extreme(true);
      journal_.set(dropped_, dropped_ + 1);
      if (slots_[worst].score <= score) return;
      give_back(worst);
    }
    std::uint32_t free = 0;
    while (slots_[free].used != 0 || slots_[free].given_back != 0 || free == present_) {
      if (++free == 2 * room_) return raise(cut_);
    }
    Slot& slot = slots_[free];
    if (!write_prefix(execution, decision, choice, free)) {
      journal_.set(dropped_, dropped_ + 1);
      return;
    }
    slot.score = score;
    slot.order = order_;
    journal_.set(order_, order_ + 1);
    journal_.set(slot.used, std::uint8_t{1});
    journal_.set(waiting_, waiting_ + 1);
  }

  void give_back(std::uint32_t slot) {
    journal_.set(slots_[slot].used, std::uint8_t{0});
    // What came in this very step is in nobody's way.
    if (slots_[slot].order < began_) slots_[slot].given_back = 1;
    journal_.set(waiting_, waiting_ - 1);
  }

  bool write_prefix(const Execution& execution, std::uint32_t decision, std::uint32_t choice, std::uint32_t slot) {
    Segment* out = prefix_of(slot);
    std::uint32_t count = 0;
    std::uint32_t left = decision;
    for (const Segment& segment : execution.schedule) {
      if (left == 0) break;
      if (count == kMostSegments) return false;
      const std::uint32_t used = segment.count < left ? segment.count : left;
      out[count++] = {segment.thread, used};
      left -= used;
    }
    if (left != 0) return false;
    if (count != 0 && out[count - 1].thread == choice) {
      ++out[count - 1].count;
    } else {
      if (count == kMostSegments) return false;
      out[count++] = {choice, 1};
    }
    slots_[slot].segments = count;
    return true;
  }

  [[nodiscard]] std::uint32_t extreme(bool worst) const {
    std::uint32_t found = kNone;
    for (std::uint32_t i = 0; i < 2 * room_; ++i) {
      if (slots_[i].used == 0) continue;
      if (found == kNone) {
        found = i;
        continue;
      }
      const Slot& a = slots_[i];
      const Slot& b = slots_[found];
      const bool better = a.score != b.score ? a.score < b.score : a.order > b.order;
      if (better != worst) found = i;
    }
    return found;
  }

  // The best leaves the queue; its slot stays as it is until the next one is picked.
  void pick() {
    const std::uint32_t best = extreme(false);
    if (best == kNone) {
      journal_.set(present_, kNone);
      return raise(finished_);
    }
    journal_.set(slots_[best].used, std::uint8_t{0});
    journal_.set(waiting_, waiting_ - 1);
    journal_.set(present_, best);
    journal_.set(began_, order_);
  }

  Journal journal_;
  Scores scores_;
  bool guided_;       // the policy goes for the next place of a sequence, and logs what the alternatives are worth
  std::uint16_t by_;  // ... what they are worth
  std::uint32_t room_;
  Slot* slots_;
  Segment* prefixes_;
  std::uint32_t present_ = kNone;  // slot that is run now
  std::uint32_t waiting_ = 0;
  std::uint64_t order_ = 0;
  std::uint64_t began_ = 0;  // order at which this step began
  std::uint64_t dropped_ = 0;
  std::uint8_t finished_ = 0;
  std::uint8_t cut_ = 0;
  std::uint8_t diverged_ = 0;
};

}  // namespace

StrategyParts create_best_first(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view&) {
  const ParameterValues& values = options.parameters;
  return make_strategy<BestFirst>(memory, memory, static_cast<Heuristic>(values["by"]),
                                  static_cast<ThreadIndex>(values["thread"]),
                                  static_cast<std::uint32_t>(values["queue"]));
}

}  // namespace ravel
