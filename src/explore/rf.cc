// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// rf: greybox search guided by what reads see (reads_from_search.h has the paper and the departures).
//
// coverage: the same, but what makes an execution worth keeping is a task of a metric that nobody has covered, or a new
// set of tasks (--strategy coverage,metric=avio; docs/coverage.md). Wishes are made of pairs all the same.
#include "explore/make_strategy.h"
#include "explore/reads_from_search.h"
#include "explore/sampling.h"
#include "explore/strategies.h"

namespace ravel {
namespace {

class Rf final : public Strategy {
 public:
  enum class Guide : std::uint8_t { kPairs, kTasks };

  Rf(std::pmr::memory_resource& memory, const StrategyOptions& options, Guide guide)
      : guide_(guide),
        seed_(options.seed),
        shard_(options.shard_index),
        shards_(options.shard_count == 0 ? 1 : options.shard_count),
        search_(memory) {}

  bool next(PlanWriter& plan) override {
    plan.spec.prefix_segments = 0;
    plan.spec.policy = PolicySpec{};
    const std::uint64_t number = search_.steps() * shards_ + shard_;
    Random random(derive_seed(seed_, number));
    search_.fill(plan.spec.policy, number, random);
    return true;
  }

  Share learn(const Execution& execution) override {
    if (guide_ == Guide::kTasks) {
      search_.learn_tasks(execution);
    } else {
      (void)search_.learn(execution);
    }
    return Share::kCounts;
  }

  void recover(std::uint64_t learned) override { search_.recover(learned); }

 private:
  Guide guide_;
  std::uint64_t seed_;
  std::uint32_t shard_;
  std::uint32_t shards_;
  ReadsFromSearch search_;
};

}  // namespace

StrategyParts create_rf(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view&) {
  return make_strategy<Rf>(memory, memory, options, Rf::Guide::kPairs);
}

StrategyParts create_coverage(std::pmr::memory_resource& memory, const StrategyOptions& options, std::string_view&) {
  return make_strategy<Rf>(memory, memory, options, Rf::Guide::kTasks);
}

}  // namespace ravel
