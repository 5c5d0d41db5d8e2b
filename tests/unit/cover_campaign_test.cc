// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Coverage of whole campaigns on the toy machine: which metrics a reduced search covers completely, and that a killed
// worker leaves no mark.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <set>
#include <vector>

#include "base/random.h"
#include "cover/metric_table.h"
#include "engine/campaign.h"
#include "support/fake_executor.h"
#include "support/random_program.h"

namespace ravel::testing {
namespace {

// A task by what it is about, not by numbers of rows.
using Task = std::vector<std::uint64_t>;
using Tasks = std::set<Task>;

template <class T>
const T* table(const SharedBlock& block, std::uint64_t at) {
  return reinterpret_cast<const T*>(block.arena + at);
}

void add_atom(const SharedBlock& block, Atom atom, Task& out) {
  const CoverageArea& area = block.coverage;
  switch (kind_of(atom)) {
    case AtomKind::kThread:
    case AtomKind::kThreadType:
      out.push_back(1'000'000 + table<ThreadIdentityRecord>(block, area.threads_at)[value_of(atom)].ordinal);
      return;
    case AtomKind::kObject:
      out.push_back(table<ObjectIdentityRecord>(block, area.objects_at)[object_row(atom)].id);
      out.push_back(value_of(atom) & 0xffffffffu);
      return;
    case AtomKind::kSet: {
      const Atom* words = table<Atom>(block, area.set_words_at) + value_of(atom);
      std::set<Task> members;
      for (std::uint64_t i = 1; i <= words[0]; ++i) {
        Task member;
        add_atom(block, words[i], member);
        members.insert(member);
      }
      for (const Task& member : members) out.insert(out.end(), member.begin(), member.end());
      return;
    }
    default:
      out.push_back(atom);
  }
}

// Of the executions that counted.
Tasks tasks_of(const SharedBlock& block, std::uint32_t metrics) {
  const CoverageArea& area = block.coverage;
  std::set<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < area.counts.runs; ++i) {
    const std::uint32_t* set =
        table<std::uint32_t>(block, area.run_words_at) + (table<std::uint32_t>(block, area.runs_at)[i] & ~kFailedRun);
    numbers.insert(set + 1, set + 1 + set[0]);
  }
  Tasks out;
  for (const std::uint32_t number : numbers) {
    const TaskRecord& record = table<TaskRecord>(block, area.tasks_at)[number];
    if ((metrics & metric_bit(record.metric)) == 0) continue;
    Task task{static_cast<std::uint64_t>(record.metric)};
    for (unsigned i = 0; i < record.fields; ++i) add_atom(block, record.field[i], task);
    out.insert(task);
  }
  return out;
}

void configure(SharedBlock& block, const char* strategy, std::uint64_t iterations) {
  std::strcpy(block.campaign.strategy, strategy);
  block.campaign.keep_going = 1;
  block.campaign.iterations = iterations;
  block.campaign.base.points = PointsMode::kAll;
  block.campaign.coverage = kAllMetrics;
  block.campaign.cover_threads = ThreadIdentity::kNamed;
  block.campaign.cover_objects = ObjectIdentity::kNamed;
}

// dpor's sets equal dfs's where a metric is a function of the Mazurkiewicz trace, and are subsets elsewhere.
TEST(CoverageLaw, AReducedSearchKnowsTheTotalsOfSomeMetrics) {
  constexpr std::uint64_t kMostSchedules = 3'000;
  const char* asked = std::getenv("RAVEL_COVERAGE_PROGRAMS");
  const std::uint64_t programs = asked == nullptr ? 150 : std::strtoull(asked, nullptr, 10);
  unsigned compared = 0;
  bool some_smaller = false;
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    const toy::Program program = toy::random_correct_program(seed);
    Block all;
    configure(*all, "dfs", kMostSchedules);
    FakeExecutor everything(*all, program);
    run_campaign(*all, everything);
    if (all->progress.complete.load() == 0) continue;
    Block reduced;
    configure(*reduced, "dpor", kMostSchedules);
    FakeExecutor few(*reduced, program);
    run_campaign(*reduced, few);
    if (reduced->progress.complete.load() == 0) continue;
    ++compared;
    for (const MetricRow& row : metric_table()) {
      const Tasks full = tasks_of(*all, metric_bit(row.id));
      const Tasks part = tasks_of(*reduced, metric_bit(row.id));
      for (const Task& task : part) ASSERT_TRUE(full.count(task) != 0) << seed << " " << row.name;
      if (row.total == TotalKnownBy::kReduction) {
        ASSERT_EQ(part.size(), full.size()) << seed << " " << row.name;
      } else {
        some_smaller = some_smaller || part.size() < full.size();
      }
    }
  }
  EXPECT_GE(compared, programs / 4);
  EXPECT_TRUE(some_smaller);  // else the distinction would not be needed
}

void expect_no_mark(const char* strategy) {
  const toy::Program program = toy::random_correct_program(11);
  Block calm;
  configure(*calm, strategy, 3'000);
  FakeExecutor executor(*calm, program);
  run_campaign(*calm, executor);
  Block disturbed;
  configure(*disturbed, strategy, 3'000);
  Random random(5);
  unsigned workers = 0;
  for (useconds_t grace = 2'000; disturbed->progress.done.load() == 0 && workers < 500; ++workers) {
    const std::uint64_t before = disturbed->progress.executions.load();
    const pid_t worker = fork();
    ASSERT_GE(worker, 0);
    if (worker == 0) {
      FakeExecutor own(*disturbed, program);
      run_campaign(*disturbed, own);
      _exit(0);
    }
    usleep(grace + static_cast<useconds_t>(random.below(20'000)));
    kill(worker, SIGKILL);
    waitpid(worker, nullptr, 0);
    disturbed->control.worker_killed.store(1);
    if (disturbed->progress.executions.load() == before) grace += grace / 2;
  }
  ASSERT_EQ(disturbed->progress.done.load(), 1u);
  EXPECT_EQ(calm->coverage.counts.runs, 3'000u);
  EXPECT_EQ(disturbed->coverage.counts.runs, 3'000u);
  EXPECT_EQ(tasks_of(*calm, kAllMetrics), tasks_of(*disturbed, kAllMetrics));
  // Each execution has the same set, by what it is about.
  EXPECT_EQ(calm->coverage.counts.tasks, disturbed->coverage.counts.tasks);
}

TEST(CoverageLaw, AKilledWorkerLeavesNoMark) {
  expect_no_mark("pos");
}

// What it has learned decides which executions there are.
TEST(CoverageLaw, NorOneThatGoesByTasks) {
  expect_no_mark("coverage,metric=avio");
}

// A known trace is not looked at again, and still counts.
TEST(CoverageLaw, EveryExecutionCounts) {
  const toy::Program program = toy::random_correct_program(3);
  Block block;
  configure(*block, "random", 500);
  FakeExecutor executor(*block, program);
  run_campaign(*block, executor);
  EXPECT_EQ(block->coverage.counts.runs, block->progress.executions.load());
  EXPECT_EQ(block->coverage.counts.runs, 500u);
}

TEST(CoverageLaw, OffMeansOff) {
  Block block;
  configure(*block, "random", 50);
  block->campaign.coverage = 0;
  FakeExecutor executor(*block, toy::random_correct_program(3));
  run_campaign(*block, executor);
  EXPECT_EQ(block->coverage.tasks_at, 0u);
  EXPECT_EQ(block->coverage.counts.runs, 0u);
  for (const PlanSpec& plan : executor.plans) EXPECT_EQ(plan.record_also, RecordAlso::kNothing);
}

}  // namespace
}  // namespace ravel::testing
