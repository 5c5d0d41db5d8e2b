// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// preempt: no, one or two preemptions, somewhere (few_switches.h). With d decisions a given one that has two threads to
// choose from is the only preemption with probability 1 / (3 d).
#include "explore/few_switches.h"
#include "explore/sampling.h"
#include "explore/strategies.h"

namespace ravel {
namespace {

class FewSwitches final : public SamplingStrategy<FewSwitches> {
 public:
  using SamplingStrategy::SamplingStrategy;
  void fill(PolicySpec& policy, const Sampling& lengths, std::uint64_t index) const {
    Random random(seed_for(index));
    fill_few_switches(policy, lengths, random);
  }
};

}  // namespace

StrategyParts create_preempt(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view&) {
  return make_strategy<FewSwitches>(memory, options);
}

}  // namespace ravel
