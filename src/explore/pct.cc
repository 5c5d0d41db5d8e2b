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
constexpr std::uint64_t kMaxDepth = 64;

class Pct final : public SamplingStrategy<Pct> {
 public:
  explicit Pct(const StrategyOptions& options) : SamplingStrategy(options) {}
  void set_depth(std::uint16_t depth) { depth_ = depth; }
  void fill(PolicySpec& policy, const Sampling& state, std::uint64_t index) const {
    policy.kind = PolicyKind::kPct;
    policy.depth = depth_;
    policy.length = state.length == 0 ? kFirstLength : state.length;
    policy.seed = seed_for(index);
  }

 private:
  std::uint16_t depth_ = 3;
};

}  // namespace

Strategy* create_pct(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view& error) {
  std::uint64_t depth = 3;
  if (!read_parameter(options.parameters, "depth", &depth)) {
    error = "expected depth=N";
    return nullptr;
  }
  if (depth < 1 || depth > kMaxDepth) {
    error = "depth must be between 1 and 64";
    return nullptr;
  }
  auto* pct = static_cast<Pct*>(make_strategy<Pct>(memory, options));
  pct->set_depth(static_cast<std::uint16_t>(depth));
  return pct;
}

}  // namespace ravel
