// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// portfolio (default): several ways to search. The first turns are in a fixed order; then a bandit (bandit.h) deals
// them out by what each part brought lately: new pairs of a read and the write it saw, new traces, new places to try,
// for each scheduling point that it took. What a turn does follows from the seed, the number of the execution and what
// was learned so far, which is kill-safe; nothing else.
//
//   pos       partial order sampling: many switches, spread over the traces rather than over the schedules; in three of
//             four threads start together (model/policy_depth.h)
//   directed  threads are held back at places that a race or a detector has named, or where an atomic value may be
//             stale (parking.h): new races have every second of the first turns; when all were tried, those of several
//             places are tried again
//   park      the same at one place after the other, whatever is known of it: windows that sampling misses however many
//             threads there are. First turns, when nothing was named; a small share later
//   static    the same, where warnings of static facts point; each once, every fourth turn and instead of repetitions
//   dpor      every behaviour once, a search of its own that goes on with its turns (search_along.h). When it is
//             finished everything was covered, and the campaign is over
//   shared    pos with plain accesses to all shared memory as points, so that what hides behind accesses that race with
//             no access (memory that is unmapped, code that is not instrumented) is reachable. Only where the points
//             are those of races
//
// The search has four to twelve times its share if little is left, and hardly any if it is hopeless.
//
// Several processes: each has numbers and rewards of its own; the first one has the search.
//
// In every eighth execution sleeps are short: otherwise they would order what comes before and after them for ever.
// Time-outs of waits are never early.
//
// Where the options allow a spurious wake-up, one in four executions after the first ones may have one.
#include <iterator>

#include "explore/bandit.h"
#include "explore/parking.h"
#include "explore/portfolio_parts.h"
#include "explore/reads_from_search.h"
#include "explore/sampling.h"
#include "explore/search_along.h"
#include "explore/static_tries.h"
#include "explore/strategies.h"
#include "model/policy_depth.h"

namespace ravel {
namespace {

constexpr std::uint64_t kWithoutFaults = 4;  // executions
constexpr std::uint64_t kLookAtFirst = 64;   // executions whose events are looked at
constexpr std::uint64_t kLookEvery = 16;     // ... and later ones
constexpr std::uint64_t kShortSleepsEvery = 8;
constexpr std::uint64_t kHopeless = 1'000'000;
constexpr std::uint64_t kFar = 10'000;
constexpr std::uint64_t kNear = 128;
constexpr std::uint64_t kVeryNear = 16;
constexpr std::uint64_t kBelieved = 4;  // executions after which the guess how many are left is believed
constexpr std::uint64_t kStaticEvery = 4;
// Turns in which directed tries come first, as bits of the first ones; later every third.
constexpr std::uint64_t kEager = 8;
constexpr std::uint32_t kEagerTurns = 1u << 1 | 1u << 4 | 1u << 6;

constexpr Part kFirstTurns[] = {Part::kPos,      Part::kDpor,   Part::kDpor, Part::kDpor, Part::kDirected, Part::kPos,
                                Part::kDirected, Part::kShared, Part::kDpor, Part::kPos,  Part::kDpor};

// By Part. Static tries have turns of their own.
constexpr std::uint32_t kShares[kPartCount] = {80, 16, 64, 96, 32, 0};

constexpr std::uint64_t kForTrace = 4;
constexpr std::uint64_t kForPair = 4;
constexpr std::uint32_t kMostPairs = 8;  // that are rewarded in one execution
constexpr std::uint64_t kForPlaces = 16;

struct State {
  Parking::State parking;
  SearchAlong::State search;
  Bandit bandit;
  std::uint64_t looked = 0;        // steps of the table of reads and writes
  std::uint32_t static_tries = 0;  // that were made
  // A thread looks at a clock while another sleeps. It may measure how long something takes, which a short sleep makes
  // others take longer: a test with a limit would fail because its threads are slow.
  std::uint32_t clock_beside_sleep = 0;
};

constexpr std::size_t index(Part part) {
  return static_cast<std::size_t>(part);
}

class Portfolio final : public Strategy {
 public:
  Portfolio(std::pmr::memory_resource& memory, const StrategyOptions& options)
      : seed_(options.seed),
        shard_(options.shard_index),
        shards_(options.shard_count == 0 ? 1 : options.shard_count),
        without_(static_cast<std::uint32_t>(options.parameters["without"])),
        parking_(memory, has(Part::kDirected)),
        static_tries_(options.facts.tries, shard_, shards_),
        search_(shard_ == 0 ? &memory : nullptr),
        reads_(memory) {}

  bool next(PlanWriter& plan) override {
    const State& s = state_.current();
    if (s.search.complete != 0) return false;
    plan.spec.policy = PolicySpec{};
    plan.spec.prefix_segments = 0;
    part_ = part_for(s, plan.spec);
    if (part_ == Part::kDpor) {
      search_.next(plan);
      return true;
    }
    const std::uint64_t number = state_.steps() * shards_ + shard_;
    Random random(derive_seed(seed_, number));
    fill(plan.spec, s, random);
    if (state_.steps() < kWithoutFaults || number % 4 != 3) plan.spec.faults &= ~kFaultSpuriousWakeup;
    if (number % kShortSleepsEvery == kShortSleepsEvery / 2 && plan.spec.timeouts == TimeoutMode::kFair &&
        s.clock_beside_sleep == 0) {
      plan.spec.timeouts = TimeoutMode::kShortSleeps;
    }
    // Choices of data and faults: the plainest at first.
    if (number % 2 == 1 && (part_ != Part::kPos || state_.steps() >= kEager)) plan.spec.data_seed = random.next() | 1;
    return true;
  }

  Share learn(const Execution& execution) override {
    const std::uint64_t number = state_.steps();
    State& s = state_.prepare();
    if (part_ == Part::kPark) Parking::advance(s.parking);
    if (part_ == Part::kDirected) Parking::advance_directed(s.parking);
    s.static_tries += part_ == Part::kStatic;
    s.clock_beside_sleep |= execution.result.clock_beside_sleep;
    const bool look =
        execution.trace_is_new && (number < kLookAtFirst || number % kLookEvery == 0 || execution.points_grew);
    const bool tries = parking_.learn(s.parking, execution, look) != 0;
    const std::uint32_t pairs = learn_pairs(s, execution, look);
    search_.learn(s.search, execution, part_ == Part::kDpor);
    const std::uint64_t reward =
        (execution.trace_is_new ? kForTrace : 0) + pairs * kForPair + (tries || execution.points_grew ? kForPlaces : 0);
    if (part_ != Part::kStatic) {
      s.bandit.played(index(part_), shares_, reward, execution.result.steps.load(std::memory_order_relaxed));
    }
    state_.commit();
    return Share::kCounts;
  }

  void recover(std::uint64_t learned) override {
    state_.recover(learned);
    search_.recover(state_.current().search);
    reads_.recover(state_.current().looked);
  }

  [[nodiscard]] SearchVerdict verdict(std::uint64_t) const override { return search_.verdict(state_.current().search); }
  [[nodiscard]] unsigned part() const override { return static_cast<unsigned>(part_); }

 private:
  [[nodiscard]] bool has(Part part) const { return without_ != index(part) + 1; }

  std::uint32_t learn_pairs(State& s, const Execution& execution, bool look) {
    if (!look) return 0;
    const std::uint32_t pairs = reads_.look_at(execution);
    ++s.looked;
    return pairs < kMostPairs ? pairs : kMostPairs;
  }

  static bool is_nearly_done(const SearchAlong::State& s) {
    return s.counted >= kBelieved && s.left != 0 && s.left <= kVeryNear;
  }

  void share_out(const State& s, const PlanSpec& plan) {
    for (std::size_t i = 0; i < kPartCount; ++i) shares_[i] = has(static_cast<Part>(i)) ? kShares[i] : 0;
    if (!Parking::has_places(s.parking)) shares_[index(Part::kPark)] = 0;
    if (!Parking::can_direct(s.parking)) shares_[index(Part::kDirected)] = 0;
    if (plan.points != PointsMode::kRacy) shares_[index(Part::kShared)] = 0;
    std::uint32_t& search = shares_[index(Part::kDpor)];
    const std::uint64_t left = s.search.left;
    if (!search_.may_run(s.search, plan)) {
      search = 0;
    } else if (s.search.counted > 1 && left != 0 && (left <= kNear || left <= state_.steps())) {
      search *= is_nearly_done(s.search) ? 12 : left <= s.search.counted / 2 ? 8 : 4;
    } else if (left > kFar) {
      search /= left > kHopeless ? 32 : 8;
    }
  }

  [[nodiscard]] Part part_for(const State& s, const PlanSpec& plan) {
    share_out(s, plan);
    const std::uint64_t step = state_.steps();
    if (Parking::is_urgent(s.parking) && (step < kEager ? (kEagerTurns >> step & 1) != 0 : step % 3 == 0))
      return Part::kDirected;
    const bool claimed = has(Part::kStatic) && static_tries_.has(s.static_tries);
    if (claimed && step % kStaticEvery == 1) return Part::kStatic;
    const bool fixed = step < (is_nearly_done(s.search) ? kEager : std::size(kFirstTurns));
    const Part part = fixed ? first_turn(s, step) : static_cast<Part>(s.bandit.next(shares_));
    const bool repeats = part == Part::kPark || (part == Part::kDirected && !Parking::is_directed(s.parking));
    return claimed && repeats ? Part::kStatic : part;
  }

  // A search that has far to go leaves its turns to directed tries, and those that have none to parking.
  [[nodiscard]] Part first_turn(const State& s, std::uint64_t step) const {
    Part part = kFirstTurns[step];
    if (part == Part::kDpor && (shares_[index(part)] == 0 || s.search.left > kFar)) part = Part::kDirected;
    if (part == Part::kDirected && !Parking::is_directed(s.parking)) part = Part::kPark;
    return shares_[index(part)] != 0 ? part : static_cast<Part>(s.bandit.next(shares_));
  }

  void fill(PlanSpec& plan, const State& s, Random& random) {
    PolicySpec& policy = plan.policy;
    policy.seed = random.next();
    switch (part_) {
      case Part::kPark:
        parking_.fill(policy, s.parking, policy.seed);
        break;
      case Part::kDirected:
        parking_.fill_directed(policy, s.parking, policy.seed);
        break;
      case Part::kStatic:
        static_tries_.fill(policy, s.static_tries);
        break;
      case Part::kShared:
        plan.points = PointsMode::kShared;
        [[fallthrough]];
      default:
        policy.kind = PolicyKind::kPos;
        if (state_.steps() != 0 && random.below(4) != 0) policy.depth = kStartTogether;
        break;
    }
  }

  std::uint64_t seed_;
  std::uint32_t shard_;
  std::uint32_t shards_;
  std::uint32_t without_;  // 1 + part that has no turns; 0: all have
  Parking parking_;
  StaticTries static_tries_;
  SearchAlong search_;
  ReadsFromSearch reads_;
  // Of the execution in hand; next() is asked again after a kill.
  Part part_ = Part::kPos;
  std::uint32_t shares_[kPartCount] = {};
  TwoSlots<State> state_;
};

}  // namespace

StrategyParts create_portfolio(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view&) {
  return make_strategy<Portfolio>(memory, memory, options);
}

}  // namespace ravel
