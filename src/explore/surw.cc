// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// surw: each execution is uniform over the orders of a few operations (runtime/policy/surw_policy.cc has the paper):
// the accesses to one object, drawn for each execution, at up to kMaxParkPlaces places of the code. With a and b such
// operations in two threads each order has probability 1 / C(a + b, a).
//
// Departures: which operations each object has, and in which thread, is learned from the last execution that was drawn
// for learning (every kLearnEvery-th, by POS); there is no profiling run of its own.
#include "explore/sampling.h"
#include "explore/shared_objects.h"
#include "explore/strategies.h"

namespace ravel {
namespace {

constexpr std::uint64_t kLearnEvery = 32;

class Surw final : public Strategy {
 public:
  Surw(std::pmr::memory_resource& memory, const StrategyOptions& options)
      : seed_(options.seed),
        shard_(options.shard_index),
        shards_(options.shard_count == 0 ? 1 : options.shard_count),
        objects_(memory) {}

  bool next(PlanWriter& plan) override {
    const SharedObjects::State& s = state_.current();
    plan.spec.prefix_segments = 0;
    PolicySpec& policy = plan.spec.policy = PolicySpec{};
    Random random(derive_seed(seed_, state_.steps() * shards_ + shard_));
    policy.seed = random.next();
    policy.kind = PolicyKind::kPos;
    if (learns() || s.objects == 0) return true;
    objects_.fill(policy, s, random);
    return true;
  }

  Share learn(const Execution& execution) override {
    const bool looks = learns() && ran_to_its_end(execution.result.outcome);
    SharedObjects::State& s = state_.prepare();
    if (looks) objects_.learn(s, execution);
    state_.commit();
    return Share::kCounts;
  }

  void recover(std::uint64_t learned) override { state_.recover(learned); }

 private:
  [[nodiscard]] bool learns() const { return state_.steps() % kLearnEvery < 2; }  // the second knows racy points

  std::uint64_t seed_;
  std::uint32_t shard_;
  std::uint32_t shards_;
  SharedObjects objects_;
  TwoSlots<SharedObjects::State> state_;
};

}  // namespace

StrategyParts create_surw(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view&) {
  return make_strategy<Surw>(memory, memory, options);
}

}  // namespace ravel
