// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// park: one schedule for each place of the code at which threads are held back (parking.h). The first execution, which
// shows the first places, is partial order sampling; so is every eighth, which shows places that no parking reaches.
#include "explore/parking.h"
#include "explore/sampling.h"
#include "explore/strategies.h"

namespace ravel {
namespace {

constexpr std::uint64_t kSampleEvery = 8;

class Park final : public Strategy {
 public:
  Park(std::pmr::memory_resource& memory, const StrategyOptions& options)
      : parking_(memory),
        seed_(options.seed),
        shard_(options.shard_index),
        shards_(options.shard_count == 0 ? 1 : options.shard_count) {}

  bool next(PlanWriter& plan) override {
    const std::uint64_t seed = derive_seed(seed_, state_.steps() * shards_ + shard_);
    plan.spec.prefix_segments = 0;
    PolicySpec& policy = plan.spec.policy = PolicySpec{};
    if (directs()) {
      parking_.fill_directed(policy, state_.current(), seed);
    } else if (parks()) {
      parking_.fill(policy, state_.current(), seed);
    } else {
      policy.kind = PolicyKind::kPos;
      policy.seed = seed;
    }
    return true;
  }

  Share learn(const Execution& execution) override {
    const bool directed = directs();
    const bool parked = !directed && parks();
    Parking::State& s = state_.prepare();
    if (directed) Parking::advance_directed(s);
    if (parked) Parking::advance(s);
    parking_.learn(s, execution, !parked && !directed);
    state_.commit();
    return Share::kCounts;
  }

  void recover(std::uint64_t learned) override { state_.recover(learned); }

 private:
  [[nodiscard]] bool samples() const { return state_.steps() % kSampleEvery == 0; }
  // New ones first; later several places and single ones in turn.
  [[nodiscard]] bool directs() const {
    const Parking::State& s = state_.current();
    return !samples() && (Parking::is_directed(s) || (Parking::can_direct(s) && state_.steps() % 2 == 0));
  }
  [[nodiscard]] bool parks() const { return !samples() && Parking::has_places(state_.current()); }

  Parking parking_;
  std::uint64_t seed_;
  std::uint32_t shard_;
  std::uint32_t shards_;
  TwoSlots<Parking::State> state_;
};

}  // namespace

StrategyParts create_park(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view&) {
  return make_strategy<Park>(memory, memory, options);
}

}  // namespace ravel
