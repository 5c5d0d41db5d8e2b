// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Each sampling strategy on a program that it should find and one that it should miss, with the probability worked out.
// Seeds are fixed, so counts never change; bounds are five standard deviations.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>

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

TEST(Portfolio, FindsOnePreemptionByEnumeration) {
  // Four orders, then a switch at each of the decisions in turn. Each thread has two steps: at most three decisions, so
  // seven executions are enough, with any seed.
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Outcome outcome = sample("portfolio", lost_update(), update_lost, 7, seed);
    EXPECT_GT(outcome.failures, 0u);
  }
  // Where a random walk has no chance.
  EXPECT_GT(sample("portfolio", stand_still(20), stood_still, 40).failures, 0u);
}
TEST(Portfolio, FindsTwoPreemptionsByEnumeration) {
  // At most 5 decisions: 4 + 5 + 10 executions.
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    EXPECT_GT(sample("portfolio", ping_pong(), ping_ponged, 19, seed).failures, 0u);
  }
}
TEST(Portfolio, MissesThreePreemptionsAtFirst) {
  // Forced switches go up to two; three are left to POS and PCT, which find it soon.
  const Outcome outcome = sample("portfolio", long_ping_pong(), long_ping_ponged, 2'000);
  EXPECT_GT(outcome.failures, 0u);
  const PolicyKind found_by = outcome.plans[outcome.first].policy.kind;
  EXPECT_TRUE(found_by == PolicyKind::kPos || found_by == PolicyKind::kPct);
  for (const PlanSpec& plan : outcome.plans) EXPECT_LE(plan.policy.switches, 2u);
}
TEST(Portfolio, CapsAndSamplesLongPrograms) {
  // Two threads of 200 steps: 400 decisions are more than the 256 of the first stage, and their pairs more than 512.
  const Outcome outcome = sample("portfolio", straight_lines({200, 200}), {}, 1'000);
  unsigned ones = 0;
  unsigned twos = 0;
  unsigned pos = 0;
  unsigned pct = 0;
  for (const PlanSpec& plan : outcome.plans) {
    ones += plan.policy.switches == 1;
    twos += plan.policy.switches == 2;
    pos += plan.policy.kind == PolicyKind::kPos;
    pct += plan.policy.kind == PolicyKind::kPct;
    if (plan.policy.switches == 2) {
      EXPECT_LT(plan.policy.forced[0].decision, plan.policy.forced[1].decision);
    }
  }
  EXPECT_EQ(ones, 256u);
  EXPECT_EQ(twos, 512u);
  EXPECT_EQ(pos + pct, 1'000u - 4 - 256 - 512);
  EXPECT_NEAR(pos, pct, 1);
}
TEST(Portfolio, SpuriousWakeUpsInAShareOfExecutions) {
  const Outcome with = sample("portfolio", lost_update(), {}, 400, 1, kFaultSpuriousWakeup);
  unsigned allowed = 0;
  for (std::size_t i = 0; i < with.plans.size(); ++i) {
    if ((with.plans[i].faults & kFaultSpuriousWakeup) == 0) continue;
    ++allowed;
    EXPECT_GE(i, 4u);
    EXPECT_EQ(with.plans[i].max_faults, 1u);
  }
  EXPECT_EQ(allowed, 99u);
  for (const PlanSpec& plan : sample("portfolio", lost_update(), {}, 40).plans) EXPECT_EQ(plan.faults, 0u);
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
