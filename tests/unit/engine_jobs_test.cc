// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Several processes at one search: together they do what one does, also when they are killed at any time and when the
// set of points grows under their hands.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <memory>
#include <vector>

#include "base/random.h"
#include "engine/campaign.h"
#include "support/fake_executor.h"
#include "support/toy_programs.h"
#include "support/tree_memory.h"

namespace ravel::testing {
namespace {

struct Sum {
  std::uint64_t executions = 0;
  std::uint64_t steps = 0;
  std::uint64_t decisions = 0;
  std::uint64_t distinct = 0;
  std::uint64_t blocked = 0;
  std::uint32_t points = 0;
  bool complete = true;
};

void add(Sum& sum, SharedBlock& block) {
  sum.executions += block.progress.executions.load();
  sum.steps += block.progress.steps.load();
  sum.decisions += block.progress.decisions.load();
  sum.distinct += block.progress.distinct.load();
  sum.blocked += block.progress.blocked.load();
  sum.points = block.plan.racy_locations;
  sum.complete = sum.complete && block.progress.complete.load() == 1;
}

void configure(SharedBlock& block, PointsMode points) {
  std::strcpy(block.campaign.strategy, "dpor");
  block.campaign.keep_going = 1;
  block.campaign.iterations = ~std::uint64_t{0};
  block.campaign.base.points = points;
  block.campaign.base.timeouts = TimeoutMode::kAdversarial;
}

Sum alone(const toy::Program& program, PointsMode points) {
  Block block;
  configure(*block, points);
  FakeExecutor executor(*block, program);
  run_campaign(*block, executor);
  Sum sum;
  add(sum, *block);
  return sum;
}

// The jobs, each a process that is started again when it was killed.
class Processes {
 public:
  Processes(const toy::Program& program, PointsMode points, std::uint32_t count) : program_(program), pids_(count, 0) {
    for (std::uint32_t job = 0; job < count; ++job) {
      blocks_.push_back(std::make_unique<Block>());
      SharedBlock& block = **blocks_.back();
      configure(block, points);
      block.campaign.tree = reinterpret_cast<std::uint64_t>(tree_.get());
      block.campaign.tree_job = job;
    }
  }
  ~Processes() {
    for (const pid_t pid : pids_) {
      if (pid == 0) continue;
      kill(pid, SIGKILL);
      waitpid(pid, nullptr, 0);
    }
  }
  Processes(const Processes&) = delete;
  Processes& operator=(const Processes&) = delete;

  void limit(std::uint64_t executions) { tree_.get()->header.left.store(executions); }

  // Kills one of them after that many microseconds, again and again, as long as there are kills left.
  void run(Random& random, std::uint64_t kills, useconds_t longest) {
    for (std::uint64_t turn = 0; start_and_reap() && turn < 400'000; ++turn) {
      const auto nap = static_cast<useconds_t>(kills != 0 ? 1 + random.below(longest) : 1'000);
      usleep(nap);
      const pid_t victim = pids_[random.below(pids_.size())];
      if (kills == 0 || victim == 0) continue;
      kill(victim, SIGKILL);
      ++killed;
      --kills;
    }
  }

  [[nodiscard]] Sum sum() {
    Sum sum;
    for (auto& block : blocks_) add(sum, **block);
    return sum;
  }

  std::uint64_t killed = 0;

 private:
  // False when all are done.
  bool start_and_reap() {
    bool more = false;
    for (std::uint32_t job = 0; job < pids_.size(); ++job) {
      SharedBlock& block = **blocks_[job];
      if (pids_[job] != 0 && waitpid(pids_[job], nullptr, WNOHANG) == pids_[job]) {
        pids_[job] = 0;
        block.control.worker_killed.store(1);
      }
      if (pids_[job] == 0 && block.progress.done.load() == 0) start(job);
      more = more || pids_[job] != 0;
    }
    return more;
  }
  void start(std::uint32_t job) {
    const pid_t pid = fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      FakeExecutor executor(**blocks_[job], program_);
      run_campaign(**blocks_[job], executor);
      _exit(0);
    }
    pids_[job] = pid;
  }

  toy::Program program_;
  Tree tree_;
  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<pid_t> pids_;
};

void expect_equal(const Sum& one, const Sum& other) {
  EXPECT_EQ(one.executions, other.executions);
  EXPECT_EQ(one.steps, other.steps);
  EXPECT_EQ(one.distinct, other.distinct);
  EXPECT_EQ(one.blocked, other.blocked);
  EXPECT_EQ(one.points, other.points);
  EXPECT_TRUE(one.complete && other.complete);
}

// Locks, atomics and a value that is read back: some thousand traces.
toy::Program entangled() {
  toy::Program program;
  for (unsigned t = 0; t < 3; ++t) {
    program.threads.push_back({toy::load(0, 0), toy::store(0, 1, 1), toy::lock(0), toy::add(8, 1), toy::unlock(0)});
  }
  program.threads.push_back({toy::add(8, 1), toy::load(0, 0), toy::add(8, 1)});
  return program;
}

TEST(Jobs, DoTogetherWhatOneDoes) {
  const Sum one = alone(entangled(), PointsMode::kAll);
  for (const std::uint32_t count : {2u, 3u}) {
    Processes jobs(entangled(), PointsMode::kAll, count);
    Random random(count);
    jobs.run(random, 0, 0);
    expect_equal(one, jobs.sum());
  }
}

TEST(Jobs, KilledAgainAndAgain) {
  const Sum one = alone(entangled(), PointsMode::kAll);
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Processes jobs(entangled(), PointsMode::kAll, 3);
    Random random(seed);
    jobs.run(random, 150, 3'000);
    EXPECT_GT(jobs.killed, 20u);
    expect_equal(one, jobs.sum());
  }
}

// Plain accesses become points when a race was seen on them: the search starts over, for all.
TEST(Jobs, GrowingPointsStartTheSearchAnewForAll) {
  toy::Program program = plain_lost_update();
  for (auto& thread : program.threads) {
    thread.push_back(toy::add(8, 1));
    thread.push_back(toy::load(12));
  }
  program.threads.push_back({toy::add(8, 1), toy::add(8, 1)});
  const Sum one = alone(program, PointsMode::kRacy);
  EXPECT_GT(one.points, 0u);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Processes jobs(program, PointsMode::kRacy, 3);
    Random random(seed);
    jobs.run(random, seed == 1 ? 0 : 40, 2'000);
    expect_equal(one, jobs.sum());
  }
}

TEST(Jobs, HaveOneBudget) {
  Processes jobs(entangled(), PointsMode::kAll, 2);
  jobs.limit(101);
  Random random(1);
  jobs.run(random, 0, 0);
  EXPECT_EQ(jobs.sum().executions, 101u);
  EXPECT_FALSE(jobs.sum().complete);
}

}  // namespace
}  // namespace ravel::testing
