// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Workers that are killed at any time: the campaign as a whole must come out as if nothing had happened.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/random.h"
#include "engine/campaign.h"
#include "support/fake_executor.h"
#include "support/toy_programs.h"

namespace ravel::testing {
namespace {

// Two threads of plain and atomic steps: races, points, findings, 70 schedules once all are points.
toy::Program busy_program() {
  toy::Program program = plain_lost_update();
  for (auto& thread : program.threads) {
    thread.push_back(toy::add(8, 1));
    thread.push_back(toy::load(12));
  }
  return program;
}

void configure(SharedBlock& block, const char* strategy, std::uint64_t iterations) {
  std::strcpy(block.campaign.strategy, strategy);
  block.campaign.keep_going = 1;
  block.campaign.iterations = iterations;
  block.campaign.base.points = PointsMode::kRacy;
}

// Runs a worker in a process of its own; kills it after that many microseconds (0: never).
void run_worker(SharedBlock& block, const toy::Program& program, useconds_t kill_after,
                std::function<void(std::uint64_t)> at_start = {}) {
  const pid_t worker = fork();
  ASSERT_GE(worker, 0);
  if (worker == 0) {
    FakeExecutor executor(block, program, update_lost);
    executor.at_start = std::move(at_start);
    run_campaign(block, executor);
    _exit(0);
  }
  if (kill_after != 0) {
    usleep(kill_after);
    kill(worker, SIGKILL);
  }
  waitpid(worker, nullptr, 0);
  block.control.worker_killed.store(kill_after != 0 ? 1 : 0);  // as the zygote says it
}

void expect_equal(SharedBlock& a, SharedBlock& b) {
  EXPECT_EQ(a.progress.executions.load(), b.progress.executions.load());
  EXPECT_EQ(a.progress.steps.load(), b.progress.steps.load());
  EXPECT_EQ(a.progress.decisions.load(), b.progress.decisions.load());
  EXPECT_EQ(a.progress.distinct.load(), b.progress.distinct.load());
  EXPECT_EQ(a.progress.sequences.load(), b.progress.sequences.load());
  EXPECT_EQ(a.progress.digest.load(), b.progress.digest.load());
  EXPECT_EQ(a.progress.blocked.load(), b.progress.blocked.load());
  EXPECT_EQ(a.progress.complete.load(), b.progress.complete.load());
  EXPECT_EQ(a.plan.points_version, b.plan.points_version);
  for (std::size_t i = 0; i < static_cast<std::size_t>(OpKind::kCount); ++i) {
    EXPECT_EQ(a.progress.operations[i].load(), b.progress.operations[i].load()) << i;
  }
  ASSERT_EQ(a.progress.findings.load(), b.progress.findings.load());
  for (std::uint32_t i = 0; i < a.progress.findings.load(); ++i) {
    EXPECT_EQ(a.findings[i].key, b.findings[i].key);
    EXPECT_EQ(a.findings[i].times_seen, b.findings[i].times_seen);
    EXPECT_EQ(a.findings[i].execution, b.findings[i].execution);
    EXPECT_EQ(a.findings[i].segments, b.findings[i].segments);
  }
}

void kill_again_and_again(const char* strategy, std::uint64_t iterations, const toy::Program& program,
                          useconds_t grace = 200, const std::vector<Segment>& schedule = {}, unsigned spread = 3'000) {
  const auto give = [&](SharedBlock& block) {
    block.campaign.base.prefix_segments = static_cast<std::uint32_t>(schedule.size());
    std::copy(schedule.begin(), schedule.end(), block.prefix);
  };
  Block calm;
  configure(*calm, strategy, iterations);
  give(*calm);
  run_worker(*calm, program, 0);
  ASSERT_EQ(calm->progress.done.load(), 1u);

  Random random(7);
  unsigned workers = 0;
  // A campaign that ends before its first worker is killed shows nothing: then they are killed sooner.
  for (unsigned sooner = 1; workers < 2 && sooner <= 64; sooner *= 2) {
    Block disturbed;
    configure(*disturbed, strategy, iterations);
    give(*disturbed);
    useconds_t patience = grace / sooner;
    for (workers = 0; disturbed->progress.done.load() == 0 && workers < 2'000; ++workers) {
      // Start-up takes some hundred microseconds; after that an execution takes a few. On a busy machine more.
      const std::uint64_t before = disturbed->progress.executions.load();
      run_worker(*disturbed, program, patience + static_cast<useconds_t>(random.below(spread / sooner)));
      if (disturbed->progress.executions.load() == before) patience += patience / 4 + 1;
    }
    ASSERT_EQ(disturbed->progress.done.load(), 1u);
    expect_equal(*calm, *disturbed);
  }
  EXPECT_GT(workers, 1u);
}

TEST(Kill, SamplingGoesOnAsIfNothingHappened) {
  kill_again_and_again("pos", 30'000, busy_program());
}

// Three threads, so that the search that is part of it is not finished before the end.
toy::Program three_busy_threads() {
  toy::Program program = busy_program();
  program.threads.push_back(program.threads[0]);
  return program;
}

TEST(Kill, PortfolioGoesOnAsIfNothingHappened) {
  kill_again_and_again("portfolio", 6'000, three_busy_threads());
}

TEST(Kill, PortfolioIsCompleteAsIfNothingHappened) {
  const std::vector<toy::Step> line(6, toy::add(8, 1));  // 924 behaviours
  kill_again_and_again("portfolio", 0, {{line, line}, {}, {}});
}

TEST(Kill, WhatIsLearnedIsLearnedOnce) {
  for (const char* strategy : {"park", "rf", "surw", "period", "noise"})
    kill_again_and_again(strategy, 10'000, three_busy_threads());
}

TEST(Kill, SearchGoesOnAsIfNothingHappened) {
  kill_again_and_again("dfs", 0, straight_lines({4, 4, 3}));  // 11 550 schedules
}

TEST(Kill, ReducedSearchGoesOnAsIfNothingHappened) {
  toy::Program program;
  for (unsigned t = 0; t < 3; ++t) {
    program.threads.push_back({toy::load(0, 0), toy::store(0, 1, 1), toy::lock(0), toy::add(8, 1), toy::unlock(0)});
  }
  program.threads.push_back({toy::add(8, 1), toy::load(0, 0), toy::add(8, 1)});
  kill_again_and_again("dpor", 0, program, 2'000);
  kill_again_and_again("values", 3'000, program, 2'000);
}

// 1 680 sequences, and choices of whom a signal wakes.
TEST(Kill, ReachabilityGoesOnAsIfNothingHappened) {
  const std::vector<toy::Step> thrice = {toy::lock(0),   toy::unlock(0), toy::lock(0),
                                         toy::unlock(0), toy::lock(0),   toy::unlock(0)};
  kill_again_and_again("reachability", 0, {{thrice, thrice, thrice}, {}, {}, {}}, 2'000);
  const std::vector<toy::Step> waits = {toy::lock(0), toy::on(OpKind::kCondWait, 0, 0), toy::unlock(0)};
  const std::vector<toy::Step> wakes = {toy::on(OpKind::kCondSignal, 0), toy::lock(0), toy::unlock(0)};
  kill_again_and_again("reachability,self-check=on", 0, {{waits, waits, wakes, wakes}, {}, {}, {}}, 2'000);
}

TEST(Kill, StrategiesOnAPlanGoOnAsIfNothingHappened) {
  toy::Program program = lost_update();
  std::vector<Segment> alternating;
  for (auto& thread : program.threads) thread.insert(thread.begin(), 40, toy::add(8, 1));
  for (unsigned i = 0; i < 42; ++i) {
    alternating.push_back({0, 1});
    alternating.push_back({1, 1});
  }
  constexpr unsigned kSoon = 300;  // both need few executions
  kill_again_and_again("minimise", 0, program, 100, alternating, kSoon);
  kill_again_and_again("explain", 0, program, 100, alternating, kSoon);
}

TEST(Kill, OtherSearchesGoOnAsIfNothingHappened) {
  toy::Program program;
  for (unsigned t = 0; t < 4; ++t) {
    program.threads.push_back({toy::load(0, 0), toy::store(0, 1, 1), toy::lock(0), toy::add(8, 1), toy::unlock(0)});
  }
  kill_again_and_again("dpor,sets=source", 4'000, program, 2'000);
  kill_again_and_again("clock-vector", 4'000, program, 2'000);
  kill_again_and_again("sharing", 4'000, program, 2'000);
  kill_again_and_again("best-first,queue=50,by=coverage", 4'000, program, 2'000);
}

TEST(Kill, SearchWithGrowingPoints) {
  toy::Program program = busy_program();
  program.threads.push_back({toy::add(8, 1), toy::add(8, 1)});
  kill_again_and_again("dfs", 0, program);
}

TEST(Kill, ExecutionThatAlwaysKillsTheWorkerIsGivenUp) {
  Block block;
  configure(*block, "random", 20);
  for (unsigned worker = 0; worker < 10 && block->progress.done.load() == 0; ++worker) {
    SharedBlock& shared = *block;
    run_worker(shared, lost_update(), 0, [&shared](std::uint64_t) {
      if (shared.progress.executions.load() == 4) kill(getpid(), SIGKILL);
    });
  }
  EXPECT_EQ(block->progress.done.load(), 1u);
  EXPECT_EQ(block->progress.executions.load(), 20u);
  EXPECT_EQ(block->progress.blocked.load(), 1u);
}

TEST(Kill, FinishedCampaignStaysFinished) {
  Block block;
  configure(*block, "random", 20);
  run_worker(*block, lost_update(), 0);
  run_worker(*block, lost_update(), 0);
  EXPECT_EQ(block->progress.executions.load(), 20u);
}

}  // namespace
}  // namespace ravel::testing
