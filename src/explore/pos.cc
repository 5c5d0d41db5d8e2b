// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// pos: Yuan, Yang, Gu, "Partial order aware concurrency sampling", CAV 2018. Each pending operation has a random
// priority; the highest runs; operations that race with it draw a new one. Samples partial orders more evenly than a
// random walk. The policy (runtime/policy) does the work; a strategy only has to seed it.
#include "explore/sampling.h"
#include "explore/strategies.h"
#include "model/policy_depth.h"

namespace ravel {
namespace {

class Pos final : public SamplingStrategy<Pos> {
 public:
  explicit Pos(const StrategyOptions& options)
      : SamplingStrategy(options), together_(options.parameters["starts"] != 0) {}
  void fill(PolicySpec& policy, const Sampling&, std::uint64_t index) const {
    policy.kind = PolicyKind::kPos;
    policy.seed = seed_for(index);
    if (together_) policy.depth = kStartTogether;
  }

 private:
  bool together_;
};

}  // namespace

StrategyParts create_pos(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view&) {
  return make_strategy<Pos>(memory, options);
}

}  // namespace ravel
