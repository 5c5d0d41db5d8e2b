// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The default strategy and parking: who has which turn, what they find in how many executions, when all was covered.
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <set>
#include <string>

#include "engine/campaign.h"
#include "explore/portfolio_parts.h"
#include "support/fake_executor.h"
#include "support/toy_programs.h"

namespace ravel::testing {
namespace {

struct Found {
  std::uint64_t executions = 0;
  std::uint64_t behaviours = 0;
  bool complete = false;
  bool failed = false;
  std::uint64_t first = 0;
  std::vector<PlanSpec> plans;
  std::uint64_t parts[kPartCount] = {};
};

struct Setting {
  std::uint64_t iterations = 2'000;
  std::uint64_t seed = 1;
  std::uint32_t faults = 0;
  std::uint32_t shard = 0;
  std::uint32_t shards = 1;
  std::uint64_t patience = 0;
  PointsMode points = PointsMode::kRacy;
};

Found explore(const char* strategy, const toy::Program& program, FakeExecutor::Judge judge, const Setting& setting) {
  Block block;
  std::strcpy(block->campaign.strategy, strategy);
  block->campaign.keep_going = 1;
  block->campaign.iterations = setting.iterations;
  block->campaign.seed = setting.seed;
  block->campaign.base.faults = setting.faults;
  block->campaign.base.points = setting.points;
  block->campaign.shard_index = setting.shard;
  block->campaign.shard_count = setting.shards;
  block->campaign.patience = setting.patience;
  FakeExecutor executor(*block, program, std::move(judge));
  run_campaign(*block, executor);
  Found found;
  found.executions = block->progress.executions.load();
  found.complete = block->progress.complete.load() != 0;
  found.behaviours = block->progress.estimate.load();
  for (std::uint32_t i = 0; i < block->progress.findings.load(); ++i) {
    if (block->findings[i].kind != OutcomeKind::kAssertion) continue;
    found.failed = true;
    found.first = block->findings[i].execution;
  }
  found.plans = executor.plans;
  for (std::size_t i = 0; i < kPartCount; ++i) found.parts[i] = block->progress.parts[i].executions.load();
  return found;
}

// Of `threads` setters each writes two words; the last thread reads both, and must not see the first alone.
toy::Program reorder(unsigned threads) {
  toy::Program program;
  for (unsigned i = 0; i < threads; ++i) program.threads.push_back({toy::store(0, 1), toy::store(1, 1)});
  program.threads.push_back({toy::load(0, 0), toy::load(1, 1)});
  return program;
}
FakeExecutor::Judge reordered(unsigned threads) {
  return [=](const toy::State& state) {
    const auto& registers = state.threads[threads].registers;
    return registers[0] == 1 && registers[1] == 0;
  };
}

// Two threads that increment one word 12 times each: 2 704 156 behaviours.
toy::Program long_program() {
  const std::vector<toy::Step> line(12, toy::add(8, 1));
  return {{line, line}, {}, {}};
}

TEST(Park, HoldsThreadsBackAtEveryPlaceInTurn) {
  // Sampling first; then each of the places in turn. Locations are one for each thread and step here, so there are
  // four: with T0 at its second store T1 sees the first one alone unless its load came before it, which a random walk
  // does with 1/2. Four rounds are enough for 1 - 2^-4 of the seeds at least.
  unsigned failed = 0;
  for (std::uint64_t seed = 0; seed < 64; ++seed) {
    const Found found = explore("park", reorder(1), reordered(1), {.iterations = 4 * 4 + 4, .seed = seed});
    failed += found.failed;
    EXPECT_EQ(found.plans[0].policy.kind, PolicyKind::kPos);
    std::map<LocationId, unsigned> places;
    for (std::size_t i = 1; i < 5; ++i) {
      EXPECT_EQ(found.plans[i].policy.kind, PolicyKind::kPark);
      ++places[found.plans[i].policy.park_at[0]];
      EXPECT_EQ(found.plans[i].policy.park_at[1], 0u);
    }
    EXPECT_EQ(places.size(), 4u);
  }
  EXPECT_GE(failed, 60u);
}
TEST(Park, MissesWhatNeedsTwoPlacesAtOnce) {
  // T0 must stand at its second step until T1 has made two, and then T1 at its third until T0 has made two: with one
  // place at a time this is left to the random walk behind it, and to POS.
  const Found found = explore("park", long_ping_pong(), long_ping_ponged, {.iterations = 8});
  EXPECT_FALSE(found.failed);
}

std::set<std::set<LocationId>> parked_together(const Found& found) {
  std::set<std::set<LocationId>> pairs;
  for (const PlanSpec& plan : found.plans) {
    if (plan.policy.kind != PolicyKind::kPark || plan.policy.park_at[1] == 0) continue;
    pairs.insert({plan.policy.park_at[0], plan.policy.park_at[1]});
    EXPECT_EQ(plan.policy.park_at[2], 0u);
  }
  return pairs;
}

TEST(Park, HoldsBackBothWritesWhereAnAtomicValueMayBeStale) {
  // T0 loads and stores; T1 stores. With both stores held back T0 has loaded before either: the order of the two stores
  // is a draw, so one try loses T1's update with 1/2, whatever comes before. Two of eight tries are of that kind.
  const toy::Program program{{{toy::load(0, 0), toy::store(0, 1)}, {toy::store(0, 2)}}, {}, {}};
  const Found found = explore("park", program, {}, {.iterations = 16});
  EXPECT_EQ(parked_together(found).size(), 1u);
  unsigned held = 0;
  for (const PlanSpec& plan : found.plans) held += plan.policy.kind == PolicyKind::kPark && plan.policy.park_at[1] != 0;
  EXPECT_GE(held, 4u);  // tried again with other seeds
  // No second write, or no other thread that writes: nothing is stale.
  const toy::Program reads{{{toy::load(0, 0), toy::load(0, 1)}, {toy::store(0, 2)}}, {}, {}};
  EXPECT_TRUE(parked_together(explore("park", reads, {}, {.iterations = 16})).empty());
  const toy::Program alone{{{toy::load(0, 0), toy::store(0, 1)}, {toy::load(0, 0)}}, {}, {}};
  EXPECT_TRUE(parked_together(explore("park", alone, {}, {.iterations = 16})).empty());
  const toy::Program apart{{{toy::load(0, 0), toy::store(0, 1)}, {toy::store(1, 2)}}, {}, {}};
  EXPECT_TRUE(parked_together(explore("park", apart, {}, {.iterations = 16})).empty());
}

TEST(Portfolio, DirectedTriesGoOnWhereAnAtomicValueMayBeStale) {
  toy::Program program;
  program.threads.assign(2, {});
  for (std::vector<toy::Step>& line : program.threads) {
    for (unsigned i = 0; i < 4; ++i) line.insert(line.end(), {toy::load(0, 0), toy::store(0, 1)});
  }
  const Found found = explore("portfolio,without=dpor", program, {}, {.iterations = 200});
  EXPECT_GE(found.parts[static_cast<std::size_t>(Part::kDirected)], 10u);
  EXPECT_FALSE(parked_together(found).empty());
}

TEST(Portfolio, FindsLostUpdatesAndWindowsSoon) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_TRUE(explore("portfolio", lost_update(), update_lost, {.iterations = 12, .seed = seed}).failed);
    EXPECT_TRUE(explore("portfolio", reorder(2), reordered(2), {.iterations = 40, .seed = seed}).failed);
    EXPECT_TRUE(explore("portfolio", ping_pong(), ping_ponged, {.iterations = 64, .seed = seed}).failed);
  }
}

TEST(Portfolio, AgreesWithDporThatEverythingWasCovered) {
  for (const toy::Program& program : {lost_update(), plain_lost_update(), ping_pong(), reorder(2), stand_still(6)}) {
    const Found alone = explore("dpor", program, {}, {.iterations = 0});
    const Found part = explore("portfolio", program, {}, {.iterations = 10'000});
    ASSERT_TRUE(alone.complete);
    EXPECT_TRUE(part.complete);
    EXPECT_EQ(part.behaviours, alone.executions);
    EXPECT_LT(part.executions, 10'000u);
  }
}

TEST(Portfolio, EveryPartHasItsTurns) {
  const Found found = explore("portfolio", long_program(), {}, {.iterations = 1'600});
  EXPECT_EQ(found.executions, 1'600u);
  EXPECT_FALSE(found.complete);
  std::uint64_t all = 0;
  for (const std::uint64_t executions : found.parts) all += executions;
  EXPECT_EQ(all, 1'600u);
  // The smallest share with the gain of the worst, beside a search with eight times its share and all others with the
  // gain of the best: 16 / (16 + 4 * (80 + 16 + 64 + 8 * 96)) = 1/233.
  for (const Part part : {Part::kPos, Part::kDpor, Part::kShared}) {
    EXPECT_GE(found.parts[static_cast<std::size_t>(part)], 6u) << kPartTable[static_cast<std::size_t>(part)].name;
  }
  for (const PlanSpec& plan : found.plans) {
    EXPECT_LE(plan.policy.switches, 2u);
    if (plan.policy.switches == 2) {
      EXPECT_LT(plan.policy.forced[0].decision, plan.policy.forced[1].decision);
    }
  }
}

TEST(Portfolio, APartCanBeLeftOut) {
  for (std::size_t part = 0; part < kPartCount; ++part) {
    const std::string name = "portfolio,without=" + std::string(kPartTable[part].name);
    const Found found = explore(name.c_str(), long_program(), {}, {.iterations = 300});
    EXPECT_EQ(found.executions, 300u) << name;
    EXPECT_EQ(found.parts[part], 0u) << name;
  }
}

TEST(Portfolio, TurnsFollowFromSeedAndNumber) {
  const Found one = explore("portfolio", long_program(), {}, {.iterations = 400, .seed = 5});
  const Found again = explore("portfolio", long_program(), {}, {.iterations = 400, .seed = 5});
  ASSERT_EQ(one.plans.size(), again.plans.size());
  for (std::size_t i = 0; i < one.plans.size(); ++i) {
    EXPECT_EQ(one.plans[i].policy.kind, again.plans[i].policy.kind);
    EXPECT_EQ(one.plans[i].policy.seed, again.plans[i].policy.seed);
  }
}

TEST(Portfolio, OnlyTheFirstShardSearches) {
  const Found second = explore("portfolio", lost_update(), {}, {.iterations = 200, .shard = 1, .shards = 2});
  EXPECT_FALSE(second.complete);
  EXPECT_EQ(second.executions, 200u);
  EXPECT_EQ(second.parts[static_cast<std::size_t>(Part::kDpor)], 0u);
  EXPECT_TRUE(explore("portfolio", lost_update(), {}, {.iterations = 200, .shard = 0, .shards = 2}).complete);
}

TEST(Portfolio, NothingIsCompleteWithFaults) {
  const Found with = explore("portfolio", lost_update(), {}, {.iterations = 400, .faults = kFaultSpuriousWakeup});
  EXPECT_FALSE(with.complete);
  unsigned allowed = 0;
  for (std::size_t i = 0; i < with.plans.size(); ++i) {
    if ((with.plans[i].faults & kFaultSpuriousWakeup) == 0) continue;
    ++allowed;
    EXPECT_GE(i, 4u);
    EXPECT_EQ(with.plans[i].max_faults, 1u);
  }
  EXPECT_EQ(allowed, 99u);
  for (const PlanSpec& plan : explore("portfolio", lost_update(), {}, {.iterations = 40}).plans) {
    EXPECT_EQ(plan.faults, 0u);
  }
}

TEST(Portfolio, SleepsAreShortInAShareOfExecutions) {
  unsigned shorter = 0;
  // A search cannot reason about them, so it has none.
  for (const PlanSpec& plan : explore("portfolio,without=dpor", long_program(), {}, {.iterations = 160}).plans) {
    shorter += plan.timeouts == TimeoutMode::kShortSleeps;
    EXPECT_NE(plan.timeouts, TimeoutMode::kAdversarial);
  }
  EXPECT_EQ(shorter, 20u);
}

TEST(Patience, EndsWhenNothingNewComes) {
  // POS never says that it is complete; lost_update has six schedules.
  const Found found = explore("pos", lost_update(), {}, {.iterations = 0, .patience = 500});
  EXPECT_GE(found.executions, 500u);
  EXPECT_LT(found.executions, 1'000u);
  // Without patience the budget decides.
  EXPECT_EQ(explore("pos", lost_update(), {}, {.iterations = 3'000}).executions, 3'000u);
}

}  // namespace
}  // namespace ravel::testing
