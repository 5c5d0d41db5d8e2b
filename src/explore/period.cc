// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// period: schedules of a few rounds in which the threads come in turn (runtime/policy/period_policy.cc has the paper).
// With two rounds and threads of n and m steps a given schedule of that form has probability 1 / (2 (n + 1) (m + 1)).
//
// Departure: how many steps threads make is learned from the last execution that came to its end; the first execution
// has no cuts, so it runs on.
#include "explore/event_scan.h"
#include "explore/sampling.h"
#include "explore/strategies.h"

namespace ravel {
namespace {

constexpr std::uint64_t kMostEvents = 1u << 16;

struct State {
  std::uint16_t counts[kMaxCounted] = {};
};

class Period final : public Strategy {
 public:
  explicit Period(const StrategyOptions& options)
      : seed_(options.seed),
        shard_(options.shard_index),
        shards_(options.shard_count == 0 ? 1 : options.shard_count),
        rounds_(static_cast<std::uint16_t>(options.parameters["rounds"])) {}

  bool next(PlanWriter& plan) override {
    const std::uint64_t number = state_.steps() * shards_ + shard_;
    plan.spec.prefix_segments = 0;
    PolicySpec& policy = plan.spec.policy = PolicySpec{};
    policy.kind = PolicyKind::kPeriod;
    policy.seed = derive_seed(seed_, number);
    policy.depth = rounds_ != 0 ? rounds_ : static_cast<std::uint16_t>(2 + number % 3);
    for (unsigned i = 0; i < kMaxCounted; ++i) policy.counts[i] = state_.current().counts[i];
    return true;
  }

  Share learn(const Execution& execution) override {
    State& s = state_.prepare();
    if (ran_to_its_end(execution.result.outcome)) count(s, execution.trace);
    state_.commit();
    return Share::kCounts;
  }

  void recover(std::uint64_t learned) override { state_.recover(learned); }

 private:
  static void count(State& s, const TraceView& trace) {
    s = State{};
    scan_events(trace, kMostEvents, [&](const Event& e, std::uint64_t operand) {
      if (operand == kNoPoint || op_class(e.kind) == OpClass::kHeap) return;
      std::uint16_t& steps = s.counts[e.thread < kMaxCounted ? e.thread.number() : kMaxCounted - 1];
      if (steps != 0xffff) ++steps;
    });
  }

  std::uint64_t seed_;
  std::uint32_t shard_;
  std::uint32_t shards_;
  std::uint16_t rounds_;
  TwoSlots<State> state_;
};

}  // namespace

StrategyParts create_period(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view&) {
  return make_strategy<Period>(memory, options);
}

}  // namespace ravel
