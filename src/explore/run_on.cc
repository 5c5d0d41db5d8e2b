// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// run-on: a thread runs until it blocks or ends; only the order of threads varies. The first execution takes the lowest
// index first, the others an order drawn from (seed, number). It finds what needs no preemption at all: wrong order of
// start, lost wake-ups, deadlocks by order.
#include "explore/sampling.h"
#include "explore/strategies.h"

namespace ravel {
namespace {

class RunOn final : public SamplingStrategy<RunOn> {
 public:
  using SamplingStrategy::SamplingStrategy;
  void fill(PolicySpec& policy, const Sampling&, std::uint64_t index) const {
    policy.kind = PolicyKind::kRunOn;
    policy.seed = index == 0 ? 0 : seed_for(index);
  }
};

}  // namespace

StrategyParts create_run_on(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view&) {
  return make_strategy<RunOn>(memory, options);
}

}  // namespace ravel
