// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// portfolio (default): several ways to search, from the first execution on in turn. Which way is the turn's, what it
// does follows from the seed, the number of the execution and what was learned so far; nothing else.
//
//   pos       partial order sampling: many switches, spread over the traces rather than over the schedules
//   park      one schedule for each place at which threads are held back (parking.h): windows that sampling misses,
//             whatever the number of threads
//   directed  the same, at places that a detector has named; before all other parkings
//   static    the same, where warnings of static facts point; each once, before other parkings but not those of
//   detectors preempt   one or two forced switches, the rest runs on: most defects need no more (Musuvathi, Qadeer,
//   "Iterative
//             context bounding for systematic testing of multithreaded programs", PLDI 2007)
//   dpor      every behaviour once, a search of its own that goes on with its turns (dpor.cc). When it is finished
//             everything was covered, and the campaign is over
//   shared    pos with plain accesses to all shared memory as points, so that what hides behind accesses whose race
//             nobody has seen is reachable. Only where the points are those of races
//
// The search of dpor has every eighth turn; five of sixteen if all that it has left costs no more than was spent
// already, and every 64th if it is hopeless. It starts over when points are found. Where faults are injected, or it met
// something that it cannot reason about, others have its turns.
//
// Several processes: each has the same turns with numbers of its own; the first one has the search.
//
// In every eighth execution sleeps are short: otherwise they would order what comes before and after them for ever.
// Time-outs of waits are never early.
//
// Where the options allow a spurious wake-up, one in four executions after the first ones may have one.
#include <iterator>

#include "base/invariant.h"
#include "explore/parking.h"
#include "explore/portfolio_parts.h"
#include "explore/sampling.h"
#include "explore/static_tries.h"
#include "explore/strategies.h"

namespace ravel {
namespace {

constexpr std::uint64_t kFewOrders = 4;
constexpr std::uint64_t kLookAtFirst = 32;  // executions whose events are looked at for places
constexpr std::uint64_t kLookEvery = 64;    // ... and later ones
constexpr std::uint64_t kShortSleepsEvery = 8;
constexpr std::uint64_t kHopeless = 1'000'000;
constexpr std::uint64_t kLongest = 4'096;  // events: the cost of a longer trace would outweigh all other parts

constexpr Part kTurns[16] = {Part::kPos,     Part::kPark, Part::kDpor,    Part::kPark,  Part::kPos,  Part::kPark,
                             Part::kPreempt, Part::kPos,  Part::kPos,     Part::kPark,  Part::kDpor, Part::kPark,
                             Part::kPos,     Part::kPark, Part::kPreempt, Part::kShared};

struct State {
  Sampling lengths;
  std::uint32_t others = 1;  // most alternatives to the thread that ran on
  Parking::State parking;
  std::uint32_t static_tries = 0;  // that were made
  std::uint64_t learned = 0;       // executions that the search was told of
  std::uint64_t left = 0;          // executions that the search still needs, as it guesses
  std::uint8_t stale = 0;          // the search is about fewer points than there are: it starts over with its next turn
  std::uint8_t given_up = 0;       // it cannot become complete as it is
  std::uint8_t impossible = 0;     // ... nor by starting over
  std::uint8_t complete = 0;
};

class Portfolio final : public Strategy {
 public:
  Portfolio(std::pmr::memory_resource& memory, const StrategyOptions& options)
      : seed_(options.seed),
        shard_(options.shard_index),
        shards_(options.shard_count == 0 ? 1 : options.shard_count),
        parking_(memory),
        static_tries_(options.facts.tries, shard_, shards_) {
    if (shard_ != 0) return;
    StrategyProblem problem;
    search_ = open_strategy("dpor", memory, StrategyOptions{}, problem);
    INVARIANT(search_.strategy != nullptr && search_.watcher != nullptr, "dpor needs no options");
  }

  bool next(PlanWriter& plan) override {
    const State& s = state_.current();
    if (s.complete != 0) return false;
    const std::uint64_t number = state_.steps() * shards_ + shard_;
    PolicySpec& policy = plan.spec.policy = PolicySpec{};
    plan.spec.prefix_segments = 0;
    part_ = part_for(s, plan.spec);
    if (part_ == Part::kDpor) {
      const bool more = search_.strategy->next(plan);
      INVARIANT(more, "a search that is over has no turn");
      if (s.stale != 0) plan.spec.prefix_segments = 0;  // only run to start over: any execution will do
      return true;
    }
    if (state_.steps() < kFewOrders || number % 4 != 3) plan.spec.faults &= ~kFaultSpuriousWakeup;
    Random random(derive_seed(seed_, number));
    policy.seed = random.next();
    switch (part_) {
      case Part::kPark:
      case Part::kDirected:
        parking_.fill(policy, s.parking, policy.seed);
        break;
      case Part::kStatic:
        static_tries_.fill(policy, s.static_tries);
        break;
      case Part::kPreempt:
        fill_switches(policy, s, random);
        break;
      case Part::kShared:
        plan.spec.points = PointsMode::kShared;
        [[fallthrough]];
      default:
        policy.kind = PolicyKind::kPos;
        break;
    }
    if (number % kShortSleepsEvery == kShortSleepsEvery / 2 && plan.spec.timeouts == TimeoutMode::kFair) {
      plan.spec.timeouts = TimeoutMode::kShortSleeps;
    }
    // Choices of data and faults: the plainest at first.
    if (number % 2 == 1 && part_ != Part::kPos) plan.spec.data_seed = random.next() | 1;
    return true;
  }

  Share learn(const Execution& execution) override {
    const std::uint64_t number = state_.steps();
    State& s = state_.prepare();
    learn_lengths(s.lengths, execution.result);
    for (const DecisionRecord& decision : execution.decisions) {
      if ((decision.chosen & kDataChoice) == 0 && decision.options > s.others + 1) s.others = decision.options - 1;
    }
    if (part_ == Part::kPark || part_ == Part::kDirected) Parking::advance(s.parking);
    s.static_tries += part_ == Part::kStatic;
    const bool look = number < kLookAtFirst || number % kLookEvery == 0 || execution.points_grew;
    parking_.learn(s.parking, execution, look);
    if (part_ == Part::kDpor) learn_search(s, execution);
    if (part_ != Part::kDpor && execution.points_grew) s.stale = 1;
    if (execution.result.shortened != 0) s.impossible = 1;
    if (s.impossible != 0) s.complete = 0;
    state_.commit();
    return Share::kCounts;
  }

  void recover(std::uint64_t learned) override {
    state_.recover(learned);
    if (search_.strategy != nullptr) search_.strategy->recover(state_.current().learned);
  }

  [[nodiscard]] SearchVerdict verdict(std::uint64_t) const override {
    SearchVerdict verdict;
    if (state_.current().complete == 0) return verdict;
    verdict.complete = verdict.kept = true;
    verdict.estimate = search_.strategy->verdict(0).estimate;
    return verdict;
  }

  [[nodiscard]] unsigned part() const override { return static_cast<unsigned>(part_); }

 private:
  [[nodiscard]] bool may_search(const State& s, const PlanSpec& plan) const {
    return search_.strategy != nullptr && s.impossible == 0 && (s.given_up == 0 || s.stale != 0) && plan.faults == 0;
  }

  [[nodiscard]] Part part_for(const State& s, const PlanSpec& plan) const {
    const std::uint64_t step = state_.steps();
    Part part = kTurns[step % std::size(kTurns)];
    const bool nearly_done = s.learned > 1 && s.left <= step && s.left != 0 && step % 4 == 3;
    if (nearly_done && part != Part::kShared) part = Part::kDpor;
    if (part == Part::kDpor && !nearly_done && s.left > kHopeless && step % 64 != 2) part = Part::kPos;
    if (part == Part::kDpor && !may_search(s, plan)) part = Part::kPos;
    if (part == Part::kShared && plan.points != PointsMode::kRacy) part = Part::kPos;
    if (part == Part::kPark && !Parking::is_directed(s.parking) && static_tries_.has(s.static_tries))
      return Part::kStatic;
    if (part == Part::kPark && !Parking::has_places(s.parking)) part = Part::kPos;
    if (part == Part::kPark && Parking::is_directed(s.parking)) part = Part::kDirected;
    if (part == Part::kPreempt && s.lengths.decisions < 2) part = Part::kPos;
    return part;
  }

  // Its own execution, whole or thrown away because there are new points.
  void learn_search(State& s, const Execution& execution) {
    const TraceView& trace = execution.trace;
    const std::uint64_t events = execution.result.events.load(std::memory_order_relaxed);
    if (trace.events.empty() || events > trace.events.size() || events > kLongest) {
      s.impossible = 1;
      return;
    }
    search_.watcher->begin(trace);
    for (std::uint64_t i = 0; i < events; ++i) {
      if (trace.events[i].kind >= OpKind::kCount) continue;
      search_.watcher->on_event(trace.events[i], Moment{i, Epoch{}, trace.operand(i)});
    }
    Execution seen = execution;
    seen.points_grew = execution.points_grew || s.stale != 0;
    (void)search_.strategy->learn(seen);  // what the search calls redundant is one more sample here
    ++s.learned;
    s.stale = 0;
    const SearchVerdict verdict = search_.strategy->verdict(0);
    s.complete = verdict.complete;
    s.given_up = !verdict.complete && !verdict.note.empty();
    const Estimate& all = verdict.estimate;
    s.left = all.likely == 0 ? 0 : all.likely > s.learned ? all.likely - s.learned : 1;
  }

  // One switch, or two at different decisions.
  void fill_switches(PolicySpec& policy, const State& s, Random& random) const {
    policy.kind = PolicyKind::kPreempt;
    const std::uint64_t order = random.below(kFewOrders);
    policy.seed = order == 0 ? 0 : derive_seed(seed_, order);
    policy.switches = static_cast<std::uint8_t>(1 + random.below(2));
    auto first = static_cast<std::uint32_t>(random.below(s.lengths.decisions));
    auto second = static_cast<std::uint32_t>(random.below(s.lengths.decisions - 1));
    if (second >= first) ++second;
    if (policy.switches == 2 && second < first) {
      const std::uint32_t smaller = second;
      second = first;
      first = smaller;
    }
    policy.forced[0] = {first, static_cast<std::uint32_t>(random.below(s.others))};
    if (policy.switches == 2) policy.forced[1] = {second, static_cast<std::uint32_t>(random.below(s.others))};
  }

  std::uint64_t seed_;
  std::uint32_t shard_;
  std::uint32_t shards_;
  Parking parking_;
  StaticTries static_tries_;
  StrategyParts search_;    // of dpor; null: another shard's
  Part part_ = Part::kPos;  // of the execution in hand; next() is asked again after a kill
  TwoSlots<State> state_;
};

}  // namespace

StrategyParts create_portfolio(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view&) {
  return make_strategy<Portfolio>(memory, memory, options);
}

}  // namespace ravel
