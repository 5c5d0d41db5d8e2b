// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What all sampling strategies share: the number of the next execution, which with the seed decides everything, and an
// estimate of how long executions are.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "base/random.h"
#include "base/two_slots.h"
#include "explore/make_strategy.h"
#include "explore/strategy.h"

namespace ravel {

// Runs that were cut say nothing of the program's length.
inline bool ran_to_its_end(OutcomeKind outcome) {
  switch (outcome) {
    case OutcomeKind::kNotRun:
    case OutcomeKind::kStepLimit:
    case OutcomeKind::kHang:
    case OutcomeKind::kDiverged:
    case OutcomeKind::kKilled:
    case OutcomeKind::kInternal:
    case OutcomeKind::kCut:
    case OutcomeKind::kAbandoned:
      return false;
    default:
      return true;
  }
}

// Follows growth at once and shrinking slowly: one short failing run does not hide the length of the others.
inline std::uint32_t estimate(std::uint32_t before, std::uint64_t now) {
  if (now > 0x7fffffffu) now = 0x7fffffffu;
  const auto length = static_cast<std::uint32_t>(now);
  return length >= before ? length : before - (before - length) / 8;
}

struct Sampling {
  std::uint32_t length = 0;     // steps
  std::uint32_t decisions = 0;  // of which with a choice
};

inline void learn_lengths(Sampling& state, const ExecutionResult& result) {
  if (!ran_to_its_end(result.outcome)) return;
  state.length = estimate(state.length, result.steps.load(std::memory_order_relaxed));
  state.decisions = estimate(state.decisions, result.decisions);
}

// A strategy that only sets the policy; Derived has fill(PolicySpec&, const Sampling&, global execution number).
template <class Derived>
class SamplingStrategy : public Strategy {
 public:
  explicit SamplingStrategy(const StrategyOptions& options)
      : seed_(options.seed), shard_(options.shard_index), shards_(options.shard_count == 0 ? 1 : options.shard_count) {}

  bool next(PlanWriter& plan) final {
    plan.spec.prefix_segments = 0;
    plan.spec.policy = PolicySpec{};
    static_cast<Derived*>(this)->fill(plan.spec.policy, state_.current(), state_.steps() * shards_ + shard_);
    return true;
  }
  Share learn(const Execution& execution) final {
    learn_lengths(state_.prepare(), execution.result);
    state_.commit();
    return Share::kCounts;
  }
  void recover(std::uint64_t learned) final { state_.recover(learned); }

 protected:
  ~SamplingStrategy() = default;
  [[nodiscard]] std::uint64_t seed_for(std::uint64_t index) const { return derive_seed(seed_, index); }

 private:
  std::uint64_t seed_;
  std::uint32_t shard_;
  std::uint32_t shards_;
  TwoSlots<Sampling> state_;
};

}  // namespace ravel
