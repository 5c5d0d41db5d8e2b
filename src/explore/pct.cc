// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// pct: random priorities with d - 1 random change points. Burckhardt, Kothari, Musuvathi, Nagarakatte, "A randomized
// scheduler with probabilistic guarantees of finding bugs", ASPLOS 2010: with n threads and k steps a bug of depth d is
// found with probability at least 1 / (n k^(d-1)).
//
// Departure: k is not given but learned from the executions so far; the first one is guessed at kFirstLength steps, so
// the bound holds from the second execution on.
#include "explore/sampling.h"
#include "explore/strategies.h"

namespace ravel {
namespace {

constexpr std::uint32_t kFirstLength = 100;

class Pct final : public SamplingStrategy<Pct> {
 public:
  explicit Pct(const StrategyOptions& options)
      : SamplingStrategy(options), depth_(static_cast<std::uint16_t>(options.parameters["depth"])) {}
  void fill(PolicySpec& policy, const Sampling& state, std::uint64_t index) const {
    policy.kind = PolicyKind::kPct;
    policy.depth = depth_;
    policy.length = state.length == 0 ? kFirstLength : state.length;
    policy.seed = seed_for(index);
  }

 private:
  std::uint16_t depth_;
};

}  // namespace

StrategyParts create_pct(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view&) {
  return make_strategy<Pct>(memory, options);
}

}  // namespace ravel
