// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Each sampling strategy on a program that it should find and one that it should miss, with the probability worked out.
// Seeds are fixed, so counts never change; bounds are five standard deviations.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <set>
#include <string>
#include <utility>

#include "engine/campaign.h"
#include "explore/strategy_table.h"
#include "support/fake_executor.h"
#include "support/toy_programs.h"

namespace ravel::testing {
namespace {

struct Outcome {
  std::uint32_t failures = 0;
  std::uint64_t first = 0;  // number of the first failing execution
  std::vector<PlanSpec> plans;
};

Outcome sample(const char* strategy, const toy::Program& program, FakeExecutor::Judge judge, std::uint64_t executions,
               std::uint64_t seed = 1, std::uint32_t faults = 0) {
  Block block;
  std::strcpy(block->campaign.strategy, strategy);
  block->campaign.keep_going = 1;
  block->campaign.iterations = executions;
  block->campaign.seed = seed;
  block->campaign.base.faults = faults;
  FakeExecutor executor(*block, program, std::move(judge));
  run_campaign(*block, executor);
  EXPECT_EQ(block->progress.executions.load(), executions);
  Outcome outcome;
  for (std::uint32_t i = 0; i < block->progress.findings.load(); ++i) {
    if (block->findings[i].kind != OutcomeKind::kAssertion) continue;
    outcome.failures = block->findings[i].times_seen;
    outcome.first = block->findings[i].execution;
  }
  outcome.plans = executor.plans;
  return outcome;
}

void expect_probability(std::uint32_t hits, double probability, double runs) {
  EXPECT_NEAR(hits, runs * probability, 5 * std::sqrt(runs * probability * (1 - probability)));
}

constexpr std::uint64_t kRuns = 4'000;

TEST(Random, FindsWithTheProbabilityOfCoins) {
  // Lost iff the second decision takes the other thread: 1/2.
  expect_probability(sample("random", lost_update(), update_lost, kRuns).failures, 0.5, kRuns);
}
TEST(Random, MissesAThreadThatStandsStill) {
  // T0 once, then T1 twenty times in a row: 2^-21 a run, 0.002 expected.
  EXPECT_EQ(sample("random", stand_still(20), stood_still, kRuns).failures, 0u);
}

TEST(RunOn, FindsOrders) {
  // T1 before T0: one of two orders.
  expect_probability(sample("run-on", wrong_order(), came_first, kRuns).failures, 0.5, kRuns);
}
TEST(RunOn, MissesWhatNeedsAPreemption) {
  EXPECT_EQ(sample("run-on", lost_update(), update_lost, kRuns).failures, 0u);
}

TEST(Pct, FindsDepthTwo) {
  // Two threads, 22 steps: at least 1 / (2 * 22) for d = 2, which is 91 of 4 000 runs; five deviations below is 44. It
  // is missed when T1 has the higher priority, or the change point is not right behind T0's first step.
  const Outcome outcome = sample("pct,depth=2", stand_still(20), stood_still, kRuns);
  EXPECT_GT(outcome.failures, 44u);
  // The length was learned: 22 steps, or 3 when T1 ends at once.
  EXPECT_EQ(outcome.plans.back().policy.kind, PolicyKind::kPct);
  EXPECT_LE(outcome.plans.back().policy.length, 22u);
  EXPECT_GE(outcome.plans.back().policy.length, 3u);
  EXPECT_EQ(outcome.plans.back().policy.depth, 2u);
}
TEST(Pct, MissesDepthTwoWithDepthOne) {
  EXPECT_EQ(sample("pct,depth=1", stand_still(20), stood_still, kRuns).failures, 0u);
}

TEST(Pos, FindsTheLostUpdate) {
  // The two loads do not race, so the one that lost the first draw keeps its priority, the smaller of two uniform
  // numbers; the first thread's store draws a third. Lost iff the third is the smallest of the three: 1/3.
  expect_probability(sample("pos", lost_update(), update_lost, kRuns).failures, 1.0 / 3, kRuns);
}
TEST(Pos, FindsAThreadThatStandsStill) {
  // T0's first step before T1's: 1/2. Then T0's second one, which races with none of T1's steps but the last, keeps its
  // priority, and must be below those of all 20 steps of T1: 1/21.
  expect_probability(sample("pos", stand_still(20), stood_still, kRuns).failures, 1.0 / 42, kRuns);
}
TEST(Pos, MissesAThreadThatStandsStillForLong) {
  // As above with 4 000 steps: 1 / 8 002 a run, 0.006 expected in 50.
  EXPECT_EQ(sample("pos", stand_still(4'000), stood_still, 50).failures, 0u);
}

TEST(Period, FindsAThreadThatStandsStill) {
  // Two rounds; T0 has 2 steps, T1 has 20. T0 makes one step, then T1 all of its own. Either T0 is first, its cut is at
  // 1 of 0, 1, 2 and T1's at 20 of 0 .. 20; or T1 is first, its cut is at 0, and T0's at 1: 2 * 1/2 * 1/3 * 1/21. The
  // lengths are learned: when T1 ended at once, it has 1 step in the next execution, and two cuts of which 0 and 1 will
  // do: 1/2 * 1/3 * (1/2 + 1/2).
  const Outcome outcome = sample("period,rounds=2", stand_still(20), stood_still, kRuns);
  EXPECT_GT(outcome.failures, kRuns / 63 / 2);
  EXPECT_LT(outcome.failures, kRuns / 6);
  for (const PlanSpec& plan : outcome.plans) EXPECT_EQ(plan.policy.depth, 2u);
}
TEST(Period, MissesWhatNeedsMoreRounds) {
  // Ping-pong alternates five times: with two rounds there are three switches at most.
  EXPECT_EQ(sample("period,rounds=2", long_ping_pong(), long_ping_ponged, kRuns).failures, 0u);
}

TEST(Surw, IsUniformOverTheOrdersOfOneObject) {
  // Two threads load and store one word: 6 orders of the four operations, 4 of them lose the update. All operations are
  // of one object, so it is always the one that is drawn; the two of 32 executions that learn are POS, which loses it
  // with 1/3.
  const double probability = (30 * 4.0 / 6 + 2 * 1.0 / 3) / 32;
  expect_probability(sample("surw", lost_update(), update_lost, kRuns).failures, probability, kRuns);
}
TEST(Surw, MissesOrdersOverSeveralObjects) {
  // T0's two stores are to two objects, and the rest of T1 is a random walk: 20 steps in a row, 2^-19.
  const Outcome outcome = sample("surw", stand_still(20), stood_still, kRuns);
  std::uint64_t of_pos = 0;
  for (const PlanSpec& plan : outcome.plans) of_pos += plan.policy.kind == PolicyKind::kPos;
  EXPECT_EQ(of_pos, kRuns / 32 * 2);
  EXPECT_LE(outcome.failures, of_pos);
}

TEST(Rf, SteersReadsTowardsWritesThatTheyRarelySee) {
  // T1's last load is to see nothing while its first one sees the first store: with POS 1/42 (above). The wish that the
  // load does not see the second store keeps that back until T1 has loaded: then only the first load has to come late,
  // 1/2. There are four pairs of places to wish about, each both ways; a corpus keeps the good ones.
  const std::uint32_t steered = sample("rf", stand_still(20), stood_still, kRuns).failures;
  EXPECT_GT(steered, 3 * kRuns / 42);
}
TEST(Rf, HasWishesOnlyAboutWhatWasSeen) {
  const Outcome outcome = sample("rf", lost_update(), update_lost, 400);
  unsigned wishes = 0;
  for (std::size_t i = 0; i < outcome.plans.size(); ++i) {
    const PolicySpec& policy = outcome.plans[i].policy;
    EXPECT_EQ(policy.kind, PolicyKind::kReadsFrom);
    if (i % 4 == 0) {
      EXPECT_EQ(policy.from[0].read, 0u);
    }
    for (const ReadsFrom& from : policy.from) {
      if (from.read == 0) continue;
      ++wishes;
      // Loads are the first steps; what they may see is nothing, or the store of either thread.
      EXPECT_EQ(from.read % 256, 1u);
      EXPECT_TRUE(from.write == 0 || from.write % 256 == 2) << from.write;
    }
  }
  EXPECT_GT(wishes, 200u);
}

TEST(Noise, DrawsWhatIsNotGivenAndKeepsWhatIs) {
  std::set<std::pair<NoiseSeeding, NoisePlaces>> drawn;
  unsigned with_variable = 0;
  for (const PlanSpec& plan : sample("noise", lost_update(), update_lost, 400).plans) {
    const NoiseSpec& noise = plan.policy.noise;
    EXPECT_EQ(plan.policy.kind, PolicyKind::kNoise);
    EXPECT_TRUE(noise.frequency >= 50 && noise.frequency <= 200 && noise.strength >= 1 && noise.strength <= 20);
    drawn.insert({noise.seeding, noise.places});
    const bool variable = noise.places == NoisePlaces::kVariable || noise.places == NoisePlaces::kVariableAndSync;
    EXPECT_EQ(plan.policy.park_at[0] != 0, variable);
    with_variable += variable;
  }
  EXPECT_EQ(drawn.size(), 6u * 5u);
  EXPECT_GT(with_variable, 100u);
  for (const PlanSpec& plan :
       sample("noise,seeding=synchYield,freq=0,strength=7,place=sync,halt=on", lost_update(), {}, 40).plans) {
    const NoiseSpec& noise = plan.policy.noise;
    EXPECT_TRUE(noise.seeding == NoiseSeeding::kSynchYield && noise.places == NoisePlaces::kSync &&
                noise.frequency == 0);
    EXPECT_TRUE(noise.strength == 7 && noise.halts == 1);
  }
}
TEST(Noise, FindsALostUpdateAndMissesItWithoutNoise) {
  EXPECT_GT(sample("noise", lost_update(), update_lost, kRuns).failures, kRuns / 50);
  EXPECT_EQ(sample("noise,freq=0", lost_update(), update_lost, kRuns).failures, 0u);
}

TEST(Shards, ShareTheSamplesOfOneCampaign) {
  // The executions of two shards together are those of one campaign: same seeds, in turn.
  const std::vector<PlanSpec> all = sample("random", lost_update(), {}, 20).plans;
  for (std::uint32_t shard = 0; shard < 2; ++shard) {
    Block block;
    std::strcpy(block->campaign.strategy, "random");
    block->campaign.seed = 1;
    block->campaign.iterations = 10;
    block->campaign.shard_index = shard;
    block->campaign.shard_count = 2;
    FakeExecutor executor(*block, lost_update());
    run_campaign(*block, executor);
    for (std::size_t i = 0; i < 10; ++i) {
      EXPECT_EQ(executor.plans[i].policy.seed, all[2 * i + shard].policy.seed);
    }
  }
}

TEST(Table, RefusesWrongParameters) {
  EXPECT_EQ(find_strategy("nosuch"), nullptr);
  for (const StrategyRow& row : strategy_table()) {
    EXPECT_EQ(find_strategy(row.name), &row);
    for (const char* wrong :
         {"x=1", "depth", "depth=", "depth=x", "depth=0", "depth=65", "depth=3,x=2", "depth=99999999999"}) {
      StrategyProblem problem;
      const std::string text = std::string(row.name) + "," + wrong;
      EXPECT_EQ(open_strategy(text, *std::pmr::null_memory_resource(), {}, problem).strategy, nullptr) << text;
      EXPECT_NE(problem.parameter.kind, ParameterProblem::Kind::kNone) << text;
    }
  }
}

}  // namespace
}  // namespace ravel::testing
