// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// random: a uniform choice among the enabled threads at every decision. No guarantee for deep orders (a thread is held
// back over n decisions with probability 2^-n), but it has no blind spot either.
#include "explore/sampling.h"
#include "explore/strategies.h"

namespace ravel {
namespace {

class RandomWalk final : public SamplingStrategy<RandomWalk> {
 public:
  using SamplingStrategy::SamplingStrategy;
  void fill(PolicySpec& policy, const Sampling&, std::uint64_t index) const {
    policy.kind = PolicyKind::kRandomWalk;
    policy.seed = seed_for(index);
  }
};

}  // namespace

StrategyParts create_random(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view&) {
  return make_strategy<RandomWalk>(memory, options);
}

}  // namespace ravel
