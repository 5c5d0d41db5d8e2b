// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// clock-vector: dynamic partial order reduction as Flanagan and Godefroid, "Dynamic partial-order reduction for model
// checking software", POPL 2005, with clock vectors for happens-before. At first every decision has one choice; for
// each step the last earlier one that it could have been swapped with gets another: the step's thread where that could
// run then, else everybody who could. No sleep sets: with this rule they lose behaviours. So behaviours may be run more
// than once; dpor does not.
//
// dependence=object is coarser: any two accesses of one object, be they reads or of different members.
//
// Departures: whether the step could have come first is predicted (prediction.h), so the release between two locks is
// passed over; of data choices all alternatives are taken; operations still pending at the end are treated like steps.
//
// A killed worker's step is undone by the journal; entries behind the committed length are free to be written.
#include <new>

#include "base/journal.h"
#include "explore/decision_path.h"
#include "explore/estimate.h"
#include "explore/parameters.h"
#include "explore/prediction.h"
#include "explore/sampling.h"
#include "explore/steps.h"
#include "explore/strategies.h"

namespace ravel {
namespace {

constexpr std::uint32_t kMostOptions = 64;
constexpr std::uint32_t kJournalEntries = 1u << 20;

struct Choices {
  std::uint64_t todo;  // ranks
  std::uint64_t done;  // the present one too
};

class ClockVector final : public Strategy, public Observer {
 public:
  ClockVector(std::pmr::memory_resource& memory, bool by_object)
      : journal_(memory, kJournalEntries),
        steps_(memory, by_object ? StepOrder::kObjects : StepOrder::kDependence),
        path_(memory),
        choices_(static_cast<Choices*>(memory.allocate(sizeof(Choices) * kMaxDecisions, alignof(Choices)))),
        selection_(steps_, memory) {}

  bool next(PlanWriter& plan) override {
    if (finished_ != 0) return false;
    plan.spec.policy = PolicySpec{};
    plan.spec.record_steps = 1;
    path_.write(plan, length_, length_ == 0 ? 0 : path_[length_ - 1].current);
    return true;
  }

  void begin(const TraceView& trace) override { steps_.begin(trace); }
  // Of plain accesses only those that are points are steps.
  [[nodiscard]] Wants wants() const override { return kWantsClasses | kWantsKnown; }
  void on_event(const Event& event, const Moment& at) override { steps_.add(event, at.operand); }

  Share learn(const Execution& execution) override {
    journal_.begin();
    if (execution.points_grew) {
      journal_.set(length_, std::uint32_t{0});
      journal_.set(counted_, std::uint64_t{0});
      for (std::uint8_t* flag : {&finished_, &cut_, &too_big_, &diverged_}) journal_.set(*flag, std::uint8_t{0});
      journal_.set(unmodelled_, Unmodelled{});
    } else {
      take_in(execution);
      journal_.set(counted_, counted_ + 1);
      step_on();
    }
    journal_.commit();
    return Share::kCounts;
  }

  void recover(std::uint64_t learned) override { journal_.recover(learned); }

  [[nodiscard]] SearchVerdict verdict(std::uint64_t counted) const override {
    const bool complete =
        finished_ != 0 && cut_ == 0 && too_big_ == 0 && diverged_ == 0 && unmodelled_.kind == OpKind::kNone;
    return {.complete = complete,
            .kept = complete,
            .note = note(),
            .estimate = estimate(counted),
            .unmodelled = unmodelled_};
  }

 private:
  [[nodiscard]] std::string_view note() const {
    if (diverged_ != 0) return "a prefix did not fit when it was run again: the program is not deterministic";
    if (unmodelled_.kind != OpKind::kNone) return "there is an operation that the search cannot reason about";
    if (too_big_ != 0) return "some executions are too long for the search";
    if (cut_ != 0) return "some executions were cut before their end";
    return {};
  }

  [[nodiscard]] Estimate estimate(std::uint64_t counted) const {
    if (finished_ != 0) return {counted, counted, counted};
    SubtreeEstimate tree(counted_, Grows::kYes);
    for (std::uint32_t i = length_; i > 0; --i) {
      const auto all = static_cast<std::uint32_t>(__builtin_popcountll(choices_[i - 1].todo));
      const auto begun = static_cast<std::uint32_t>(__builtin_popcountll(choices_[i - 1].done));
      if (i == length_) {
        tree.lowest(begun - 1, all - begun + 1);
      } else {
        tree.above(begun - 1, all - begun);
      }
    }
    return tree.total(counted - counted_, counted);
  }

  void raise(std::uint8_t& flag) {
    if (flag == 0) journal_.set(flag, std::uint8_t{1});
  }

  void take_in(const Execution& execution) {
    const OutcomeKind outcome = execution.result.outcome;
    if (!ran_to_its_end(outcome)) raise(outcome == OutcomeKind::kDiverged ? diverged_ : cut_);
    std::uint32_t length = length_;
    const DecisionPath::Fit fit = path_.extend(execution, &length);
    if (fit == DecisionPath::Fit::kDiverged) {
      raise(diverged_);
      return;
    }
    if (fit == DecisionPath::Fit::kTooBig) raise(too_big_);
    for (std::uint32_t i = length_; i < length; ++i) {
      const DecisionPath::Entry& entry = path_[i];
      const std::uint64_t taken = entry.current < kMostOptions ? std::uint64_t{1} << entry.current : 0;
      const bool data = entry.threads_at == kNotListed;
      if (entry.options > kMostOptions) raise(too_big_);
      choices_[i] = {data ? everything(entry) | taken : taken, taken};
    }
    journal_.set(length_, length);
    if (outcome == OutcomeKind::kKilled || outcome == OutcomeKind::kInternal ||
        !steps_.finish(execution.trace, execution.decisions)) {
      raise(too_big_);
      return;
    }
    if (unmodelled_.kind == OpKind::kNone && steps_.unmodelled().kind != OpKind::kNone) {
      journal_.set(unmodelled_, steps_.unmodelled());
    }
    for (std::uint32_t i = 0; i < steps_.count(); ++i) branch_for(steps_[i], i);
    for (const Step& step : steps_.pending()) branch_for(step, steps_.count());
  }

  [[nodiscard]] static std::uint64_t everything(const DecisionPath::Entry& entry) {
    return entry.options >= kMostOptions ? ~std::uint64_t{0} : (std::uint64_t{1} << entry.options) - 1;
  }

  // The last step before `bound` that `later` could have come before.
  void branch_for(const Step& later, std::uint32_t bound) {
    for (std::uint32_t j = bound; j-- > 0;) {
      const Step& earlier = steps_[j];
      if ((earlier.keys.mask & later.keys.mask) == 0 || earlier.column == later.column) continue;
      if (later.previous != kNoStep && earlier.position <= steps_.clock(later.previous)[earlier.column]) continue;
      Act asked = later.act;
      // What timed out in a later phase was an ordinary attempt in this one.
      if (earlier.phase != later.phase) asked.op.bits &= static_cast<std::uint8_t>(~(kFailed | kTimeout));
      if (!steps_.conflicts(earlier.act, asked)) continue;
      const Enabled could_precede = predict_before(selection_, j, later).enabled;
      if (could_precede == Enabled::kNo) continue;
      add_choice(earlier, later.column);
      if (could_precede == Enabled::kYes) return;
    }
  }

  void add_choice(const Step& at, ThreadIndex thread) {
    if (at.decision >= length_) return;  // nobody else could run
    const DecisionPath::Entry& entry = path_[at.decision];
    std::uint64_t wanted = everything(entry);
    for (std::uint32_t rank = 0; rank < entry.options && rank < kMostOptions; ++rank) {
      if (path_.choice(entry, rank) == thread) wanted = std::uint64_t{1} << rank;
    }
    Choices& choices = choices_[at.decision];
    if ((wanted & ~choices.todo) == 0) return;
    if (!journal_.has_room(64)) return raise(too_big_);
    journal_.set(choices.todo, choices.todo | wanted);
  }

  void step_on() {
    for (std::uint32_t i = length_; i > 0; --i) {
      const std::uint64_t left = choices_[i - 1].todo & ~choices_[i - 1].done;
      if (left == 0) continue;
      const auto rank = static_cast<std::uint32_t>(__builtin_ctzll(left));
      journal_.set(choices_[i - 1].done, choices_[i - 1].done | std::uint64_t{1} << rank);
      journal_.set(path_[i - 1].current, rank);
      journal_.set(length_, i);
      return;
    }
    journal_.set(length_, std::uint32_t{0});
    raise(finished_);
  }

  Journal journal_;
  Steps steps_;
  DecisionPath path_;
  Choices* choices_;
  Selection selection_;
  std::uint32_t length_ = 0;
  std::uint64_t counted_ = 0;
  std::uint8_t finished_ = 0;
  std::uint8_t cut_ = 0;
  std::uint8_t too_big_ = 0;
  std::uint8_t diverged_ = 0;
  Unmodelled unmodelled_;
};

}  // namespace

StrategyParts create_clock_vector(std::pmr::memory_resource& memory, const StrategyOptions& options,
                                  std::string_view&) {
  return make_strategy<ClockVector>(memory, memory, options.parameters["dependence"] != 0);
}

}  // namespace ravel
