// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// portfolio (default): cheap and simple schedules first. Most concurrency defects need very few preemptions (Musuvathi,
// Qadeer, "Iterative context bounding for systematic testing of multithreaded programs", PLDI 2007; Burckhardt et al.,
// PCT, ASPLOS 2010), and a failure with one preemption is the easiest to read.
//
//   orders   a few schedules without preemption
//   one      one forced switch at each decision, to each of the others; sampled when these are too many
//   two      two forced switches, the same way
//   mixed    POS and PCT in turn, for ever
//
// Departures from context bounding: the list of decisions is that of the longest execution so far, not re-enumerated
// below each switch, and the stages are capped; there is no claim of completeness. When the point set grows, there are
// new decisions, and the stages with forced switches start again, a few times.
//
// Where the options allow a spurious wake-up, one in four executions after the first orders may have one.
#include "explore/sampling.h"
#include "explore/strategies.h"

namespace ravel {
namespace {

constexpr std::uint64_t kFewOrders = 4;
constexpr std::uint64_t kMostOnes = 256;
constexpr std::uint64_t kMostTwos = 512;
constexpr std::uint32_t kMostRestarts = 4;
constexpr std::uint32_t kFirstLength = 100;

enum class Stage : std::uint8_t { kOrders, kOne, kTwo, kMixed };

struct State {
  Sampling lengths;
  std::uint32_t others = 1;  // most alternatives to the thread that ran on
  std::uint32_t restarts = 0;
  std::uint64_t at = 0;  // executions of this stage
  Stage stage = Stage::kOrders;
};

std::uint64_t ones(const State& s) {
  return std::uint64_t{s.lengths.decisions} * s.others;
}
// Saturates: beyond the cap only "too many" matters.
std::uint64_t twos(const State& s) {
  const std::uint64_t d = s.lengths.decisions;
  if (d < 2) return 0;
  if (d > 0xffff || s.others > 0xff) return ~std::uint64_t{0};
  return d * (d - 1) / 2 * s.others * s.others;
}

class Portfolio final : public Strategy {
 public:
  explicit Portfolio(const StrategyOptions& options)
      : seed_(options.seed), shard_(options.shard_index), shards_(options.shard_count == 0 ? 1 : options.shard_count) {}

  bool next(PlanWriter& plan) override {
    const State& s = state_.current();
    const std::uint64_t number = state_.steps() * shards_ + shard_;
    plan.spec.prefix_segments = 0;
    PolicySpec& policy = plan.spec.policy = PolicySpec{};
    const std::uint64_t at = s.at * shards_ + shard_;  // place in this stage over all shards
    Random random(derive_seed(seed_, number));
    if (s.stage == Stage::kOrders || number % 4 != 3) {
      plan.spec.faults &= ~kFaultSpuriousWakeup;
    }
    // Choices of data and faults are the plainest at first, and in every second execution with forced switches.
    if (s.stage != Stage::kOrders && number % 2 == 1) plan.spec.data_seed = random.next() | 1;
    switch (s.stage) {
      case Stage::kOrders:
        policy.kind = PolicyKind::kRunOn;
        policy.seed = at == 0 ? 0 : derive_seed(seed_, at);
        break;
      case Stage::kOne:
        fill_one(policy, s, at, random);
        break;
      case Stage::kTwo:
        fill_two(policy, s, at, random);
        break;
      case Stage::kMixed:
        policy.kind = at % 2 == 0 ? PolicyKind::kPos : PolicyKind::kPct;
        policy.depth = static_cast<std::uint16_t>(2 + (at / 2) % 3);  // 2, 3, 4: the depths most bugs have
        policy.length = s.lengths.length == 0 ? kFirstLength : s.lengths.length;
        policy.seed = random.next();
        break;
    }
    return true;
  }

  Share learn(const Execution& execution) override {
    State& s = state_.prepare();
    learn_lengths(s.lengths, execution.result);
    for (const DecisionRecord& decision : execution.decisions) {
      if ((decision.chosen & kDataChoice) == 0 && decision.options > s.others + 1) s.others = decision.options - 1;
    }
    ++s.at;
    if (s.stage != Stage::kOrders && execution.points_grew && s.restarts < kMostRestarts) {
      ++s.restarts;
      s.stage = Stage::kOne;
      s.at = 0;
    }
    while (s.stage != Stage::kMixed && s.at * shards_ + shard_ >= stage_size(s)) {
      s.stage = static_cast<Stage>(static_cast<std::uint8_t>(s.stage) + 1);
      s.at = 0;
    }
    state_.commit();
    return Share::kCounts;
  }

  void recover(std::uint64_t learned) override { state_.recover(learned); }

 private:
  static std::uint64_t stage_size(const State& s) {
    switch (s.stage) {
      case Stage::kOrders:
        return kFewOrders;
      case Stage::kOne:
        return ones(s) < kMostOnes ? ones(s) : kMostOnes;
      case Stage::kTwo:
        return twos(s) < kMostTwos ? twos(s) : kMostTwos;
      case Stage::kMixed:
        break;
    }
    return ~std::uint64_t{0};
  }

  // A sampled schedule also varies the order in which threads run on.
  void fill_one(PolicySpec& policy, const State& s, std::uint64_t at, Random& random) const {
    policy.kind = PolicyKind::kPreempt;
    policy.switches = 1;
    if (ones(s) <= kMostOnes) {
      policy.forced[0] = {static_cast<std::uint32_t>(at / s.others), static_cast<std::uint32_t>(at % s.others)};
      return;
    }
    policy.seed = order(random);
    policy.forced[0] = {static_cast<std::uint32_t>(random.below(s.lengths.decisions)),
                        static_cast<std::uint32_t>(random.below(s.others))};
  }

  void fill_two(PolicySpec& policy, const State& s, std::uint64_t at, Random& random) const {
    policy.kind = PolicyKind::kPreempt;
    policy.switches = 2;
    if (twos(s) <= kMostTwos) {
      const std::uint64_t ranks = std::uint64_t{s.others} * s.others;
      const std::uint64_t pair = at / ranks;  // second * (second - 1) / 2 + first
      std::uint32_t second = 1;
      while (std::uint64_t{second} * (second + 1) / 2 <= pair) ++second;
      const auto first = static_cast<std::uint32_t>(pair - std::uint64_t{second} * (second - 1) / 2);
      policy.forced[0] = {first, static_cast<std::uint32_t>(at % s.others)};
      policy.forced[1] = {second, static_cast<std::uint32_t>(at / s.others % s.others)};
      return;
    }
    policy.seed = order(random);
    auto first = static_cast<std::uint32_t>(random.below(s.lengths.decisions));
    auto second = static_cast<std::uint32_t>(random.below(s.lengths.decisions - 1));
    if (second >= first) {
      ++second;
    } else {
      const std::uint32_t smaller = second;
      second = first;
      first = smaller;
    }
    policy.forced[0] = {first, static_cast<std::uint32_t>(random.below(s.others))};
    policy.forced[1] = {second, static_cast<std::uint32_t>(random.below(s.others))};
  }

  [[nodiscard]] std::uint64_t order(Random& random) const {
    const std::uint64_t which = random.below(kFewOrders);
    return which == 0 ? 0 : derive_seed(seed_, which);
  }

  std::uint64_t seed_;
  std::uint32_t shard_;
  std::uint32_t shards_;
  TwoSlots<State> state_;
};

}  // namespace

StrategyParts create_portfolio(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view&) {
  return make_strategy<Portfolio>(memory, options);
}

}  // namespace ravel
