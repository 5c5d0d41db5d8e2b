// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// noise: run-on with threads disturbed by chance (runtime/policy/noise_policy.cc has the source). What is not given is
// drawn again for each execution, which is the advice for those who know nothing of the program: no configuration is
// best everywhere, and the wrong noise hides a defect.
//
// The variable of place=var-one is an object that several threads used in the last execution that was learned from
// (every kLearnEvery-th), at up to kMaxParkPlaces places of the code.
#include "explore/sampling.h"
#include "explore/shared_objects.h"
#include "explore/strategies.h"

namespace ravel {
namespace {

constexpr std::uint64_t kLearnEvery = 32;
constexpr std::uint16_t kFrequencies[] = {50, 100, 150, 200};  // more degrades too much
constexpr std::uint64_t kMostStrength = 20;

class Noise final : public Strategy {
 public:
  Noise(std::pmr::memory_resource& memory, const StrategyOptions& options)
      : seed_(options.seed),
        shard_(options.shard_index),
        shards_(options.shard_count == 0 ? 1 : options.shard_count),
        parameters_(options.parameters),
        objects_(memory) {}

  bool next(PlanWriter& plan) override {
    plan.spec.prefix_segments = 0;
    PolicySpec& policy = plan.spec.policy = PolicySpec{};
    Random random(derive_seed(seed_, state_.steps() * shards_ + shard_));
    policy.kind = PolicyKind::kNoise;
    policy.seed = random.next();
    draw(policy.noise, random);
    const SharedObjects::State& s = state_.current();
    if (policy.noise.places != NoisePlaces::kVariable && policy.noise.places != NoisePlaces::kVariableAndSync)
      return true;
    if (s.objects == 0) {
      policy.noise.places = NoisePlaces::kEverywhere;
      return true;
    }
    const SharedObject& one = objects_.nth(s, random.below(s.objects));
    for (unsigned i = 0; i < kMaxParkPlaces; ++i) policy.park_at[i] = one.at[i];
    return true;
  }

  Share learn(const Execution& execution) override {
    const bool learns = state_.steps() % kLearnEvery < 2 && ran_to_its_end(execution.result.outcome);
    SharedObjects::State& s = state_.prepare();
    if (learns) objects_.learn(s, execution);
    state_.commit();
    return Share::kCounts;
  }

  void recover(std::uint64_t learned) override { state_.recover(learned); }

 private:
  // The words of the table begin with the one that stands for drawing.
  [[nodiscard]] std::uint64_t word(std::string_view name, std::size_t words, Random& random) const {
    const std::uint64_t drawn = random.below(words);
    const std::uint64_t given = parameters_[name];
    return given == 0 ? drawn : given - 1;
  }
  void draw(NoiseSpec& noise, Random& random) const {
    noise.seeding = static_cast<NoiseSeeding>(word("seeding", std::size(kSeedingNames), random));
    noise.places = static_cast<NoisePlaces>(word("place", std::size(kNoisePlaceNames), random));
    noise.halts = static_cast<std::uint16_t>(word("halt", 2, random));
    noise.frequency = kFrequencies[random.below(std::size(kFrequencies))];
    noise.strength = static_cast<std::uint16_t>(1 + random.below(kMostStrength));
    if (parameters_.is_given("freq")) noise.frequency = static_cast<std::uint16_t>(parameters_["freq"]);
    if (parameters_.is_given("strength")) noise.strength = static_cast<std::uint16_t>(parameters_["strength"]);
  }

  std::uint64_t seed_;
  std::uint32_t shard_;
  std::uint32_t shards_;
  ParameterValues parameters_;
  SharedObjects objects_;
  TwoSlots<SharedObjects::State> state_;
};

}  // namespace

StrategyParts create_noise(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view&) {
  return make_strategy<Noise>(memory, memory, options);
}

}  // namespace ravel
