// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Unreduced search: numbers of schedules that are known beforehand.
#include <gtest/gtest.h>

#include <cstring>

#include "engine/campaign.h"
#include "support/fake_executor.h"
#include "support/toy_programs.h"

namespace ravel::testing {
namespace {

struct Search {
  explicit Search(const toy::Program& program, FakeExecutor::Judge judge = {})
      : executor(*block, program, std::move(judge)) {
    std::strcpy(block->campaign.strategy, "dfs");
    block->campaign.keep_going = 1;
  }
  void run() { run_campaign(*block, executor); }
  [[nodiscard]] std::uint64_t executions() { return block->progress.executions.load(); }
  [[nodiscard]] bool complete() { return block->progress.complete.load() == 1; }

  Block block;
  FakeExecutor executor;
};

std::uint64_t multinomial(const std::vector<unsigned>& lengths) {
  std::uint64_t result = 1;
  std::uint64_t n = 0;
  for (const unsigned length : lengths) {
    for (unsigned i = 1; i <= length; ++i) result = result * ++n / i;
  }
  return result;
}

TEST(Dfs, StraightLinesGiveTheMultinomial) {
  for (const std::vector<unsigned>& lengths : std::vector<std::vector<unsigned>>{
           {1}, {1, 1}, {2, 2}, {3, 2}, {5, 5}, {1, 1, 1}, {2, 2, 2}, {3, 2, 1}, {1, 1, 1, 1, 1}, {4, 3, 2}}) {
    Search search(straight_lines(lengths));
    search.run();
    EXPECT_EQ(search.executions(), multinomial(lengths));
    EXPECT_EQ(search.executor.schedules.size(), multinomial(lengths));  // none twice
    EXPECT_EQ(search.block->progress.distinct.load(), multinomial(lengths));
    EXPECT_TRUE(search.complete());
  }
}

TEST(Dfs, LocksWaitsAndDataChoices) {
  using toy::lock;
  using toy::on;
  using toy::unlock;
  const std::vector<toy::Step> waiter = {lock(0), on(OpKind::kCondWait, 0, 0), unlock(0)};
  const std::vector<toy::Step> signaller = {lock(0), on(OpKind::kCondSignal, 0), unlock(0)};
  toy::Step timed = lock(0);
  timed.timed = true;
  for (const toy::Program& program :
       {crossed_locks(), toy::Program{{waiter, signaller}, {}, {}}, toy::Program{{waiter, waiter, signaller}, {}, {}},
        toy::Program{{{timed, unlock(0)}, {lock(0), unlock(0)}}, {}, {}},
        toy::Program{{{on(OpKind::kSemWait, 0)}, {on(OpKind::kSemWait, 0)}, {on(OpKind::kSemPost, 0)}}, {}, {}}}) {
    Search search(program);
    search.run();
    EXPECT_EQ(search.executions(), toy::count_traces(program).interleavings);
    EXPECT_TRUE(search.complete());
  }
}

TEST(Dfs, FindsTheDeadlockAndTheLostUpdate) {
  Search locks(crossed_locks());
  locks.run();
  ASSERT_EQ(locks.block->progress.findings.load(), 1u);
  EXPECT_EQ(locks.block->findings[0].kind, OutcomeKind::kDeadlock);

  // Six schedules; the update is lost unless one thread runs as a whole first: four of six.
  Search update(lost_update(), update_lost);
  update.run();
  ASSERT_EQ(update.block->progress.findings.load(), 1u);
  EXPECT_EQ(update.block->findings[0].times_seen, 4u);
}

TEST(Dfs, StartsAnewWhenPointsGrow) {
  // Plain accesses are no points until they were seen racing. Then the tree is that of two threads of two steps.
  Search search(plain_lost_update(), update_lost);
  search.block->campaign.base.points = PointsMode::kRacy;
  search.run();
  EXPECT_EQ(search.executions(), 6u);
  EXPECT_TRUE(search.complete());
  EXPECT_GT(search.executor.runs, 6u);
  EXPECT_EQ(search.block->plan.racy_locations, 4u);
  EXPECT_NE(std::string(search.block->progress.strategy_note).find("restarted "), std::string::npos);
  // With no plain points at all there are only the two orders, and nothing is lost.
  Search coarse(plain_lost_update(), update_lost);
  coarse.block->campaign.base.points = PointsMode::kSync;
  coarse.run();
  EXPECT_EQ(coarse.executions(), 2u);
}

TEST(Dfs, SharedPointsAreThoseOfConcurrentThreads) {
  // Same locations as above, but protected by a lock: no race, still shared. 2 threads of lock, read, write, unlock.
  toy::Program program = plain_lost_update();
  for (auto& thread : program.threads) {
    thread.insert(thread.begin(), toy::lock(0));
    thread.push_back(toy::unlock(0));
  }
  Search search(program, update_lost);
  search.block->campaign.base.points = PointsMode::kShared;
  search.run();
  EXPECT_TRUE(search.complete());
  EXPECT_EQ(search.block->plan.racy_locations, 4u);
  EXPECT_EQ(search.block->progress.findings.load(), 0u);
  EXPECT_EQ(search.executions(), toy::count_traces(program).interleavings);
}

TEST(Dfs, CutRunsAreNotComplete) {
  toy::Step spin = toy::load(0);
  spin.flow = toy::Flow::kRepeatWhileZero;
  Search search({{{spin}, {toy::store(0, 1)}}, {}, {}});
  search.block->campaign.base.max_steps = 8;
  search.block->campaign.iterations = 1000;
  search.run();
  EXPECT_FALSE(search.complete());
  EXPECT_GT(search.block->progress.blocked.load(), 0u);
  EXPECT_NE(std::string(search.block->progress.strategy_note).find("cut"), std::string::npos);
}

TEST(Dfs, StoppedEarlyIsNotComplete) {
  Search search(straight_lines({3, 3}));
  search.block->campaign.iterations = 19;  // of 20
  search.run();
  EXPECT_FALSE(search.complete());
  EXPECT_EQ(search.executions(), 19u);
}

TEST(Dfs, ProgramThatDoesNotRepeatItselfIsNotComplete) {
  Search search(straight_lines({2, 2}));
  search.executor.at_end = [](std::uint64_t run, SharedBlock& block) {
    if (run == 2) block.decisions[0].chosen ^= 1;
  };
  search.block->campaign.iterations = 100;
  search.run();
  EXPECT_FALSE(search.complete());
  EXPECT_NE(std::string(search.block->progress.strategy_note).find("not deterministic"), std::string::npos);
}

}  // namespace
}  // namespace ravel::testing
