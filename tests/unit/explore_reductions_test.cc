// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The other searches against trying every interleaving, on random programs: what each of them promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/truth.h"

namespace ravel::testing {
namespace {

using toy::load;
using toy::store;

void expect_the_same_ends(const char* strategy, std::uint64_t programs) {
  std::uint64_t executions = 0;
  std::uint64_t traces = 0;
  for_programs(10'000, programs, [&](std::uint64_t seed, const toy::Program& program, const Truth& truth) {
    const Outcome outcome = explore(strategy, program);
    const std::string where = std::string(strategy) + ", seed " + std::to_string(seed) + text_of(program);
    EXPECT_TRUE(outcome.complete) << outcome.note << ", " << where;
    EXPECT_TRUE(outcome.ends == truth.ends) << outcome.ends.size() << " ends of " << truth.ends.size() << ", " << where;
    EXPECT_GE(outcome.executions, truth.traces.size()) << where;
    executions += outcome.executions;
    traces += truth.traces.size();
    return !::testing::Test::HasFailure();
  });
  ::testing::Test::RecordProperty("executions", std::to_string(executions) + " of " + std::to_string(traces));
}

TEST(ClockVector, TheSameEnds) {
  expect_the_same_ends("clock-vector", programs_to_try(4));
}

TEST(ClockVector, ByObjectTheSameEnds) {
  expect_the_same_ends("clock-vector,dependence=object", programs_to_try(4));
}

// One execution a trace, and the others are known to be in vain.
TEST(SourceSets, OneExecutionATrace) {
  std::uint64_t in_vain = 0;
  for_programs(20'000, programs_to_try(2), [&](std::uint64_t seed, const toy::Program& program, const Truth& truth) {
    const Outcome outcome = explore("dpor,source=1", program);
    const std::string where = "seed " + std::to_string(seed) + text_of(program);
    EXPECT_TRUE(outcome.complete) << outcome.note << ", " << where;
    EXPECT_EQ(outcome.executions, truth.traces.size()) << where;
    EXPECT_TRUE(outcome.ends == truth.ends) << outcome.ends.size() << " ends of " << truth.ends.size() << ", " << where;
    in_vain += outcome.blocked;
    return !::testing::Test::HasFailure();
  });
  EXPECT_GT(in_vain, 0u);  // else it would be optimal
}

TEST(BestFirst, WithRoomForAllItIsComplete) {
  for (const char* strategy : {"best-first,queue=4000", "best-first,by=coverage,queue=4000",
                               "best-first,by=blocked,queue=4000", "best-first,by=prefer,thread=1,queue=4000"}) {
    for_programs(30'000, 20, [&](std::uint64_t seed, const toy::Program& program, const Truth& truth) {
      const Outcome outcome = explore(strategy, program);
      EXPECT_TRUE(outcome.complete) << strategy << ": " << outcome.note << ", seed " << seed;
      EXPECT_EQ(outcome.executions, truth.interleavings) << strategy << ", seed " << seed;
      return true;
    });
  }
}

TEST(BestFirst, WhatWasDroppedIsSaid) {
  const Outcome outcome = explore("best-first,queue=2", straight_lines({4, 4}));
  EXPECT_FALSE(outcome.complete);
  EXPECT_LT(outcome.executions, 70u);
  EXPECT_NE(outcome.note.find("queue is exhausted"), std::string::npos) << outcome.note;
}

// How many executions until the judge is content; 0: never.
std::uint64_t found_after(const char* strategy, const toy::Program& program, const FakeExecutor::Judge& judge) {
  Search search(strategy, program, judge);
  search.block->campaign.keep_going = 0;
  search.block->campaign.iterations = 5'000;
  search.run();
  return search.block->progress.findings.load() != 0 ? search.executions() : 0;
}

TEST(BestFirst, SwitchesAreFoundBeforePlainSchedules) {
  // Three preemptions, which dfs comes to late: it begins at the end of the schedule.
  const std::uint64_t guided = found_after("best-first", long_ping_pong(), long_ping_ponged);
  const std::uint64_t plain = found_after("dfs", long_ping_pong(), long_ping_ponged);
  ASSERT_GT(guided, 0u);
  EXPECT_LT(guided, plain);
}

// t0 writes a = 1, b = 7, a = 0; t1 looks at b only if it sees a = 1, and must see 7. Four traces, one of them fails.
toy::Program trap(bool reader_first) {
  toy::Step look = load(0);
  look.flow = toy::Flow::kSkipUnlessEqual;
  look.value = 1;
  look.skip = 1;
  const std::vector<toy::Step> reader = {look, load(8, 1)};
  const std::vector<toy::Step> writer = {store(0, 1), store(8, 7), store(0, 0)};
  if (reader_first) return {{reader, writer}, {}, {}};
  return {{writer, reader}, {}, {}};
}

FakeExecutor::Judge saw_too_early(std::uint32_t reader) {
  return [reader](const toy::State& state) {
    const toy::ThreadState& thread = state.threads[reader];
    return thread.steps == 2 && thread.registers[1] == 0;
  };
}

TEST(Trap, CompleteSearchesFindItInBothOrders) {
  for (const char* strategy : {"dfs", "dpor", "dpor,source=1", "clock-vector", "clock-vector,dependence=object"}) {
    for (const bool reader_first : {false, true}) {
      Search search(strategy, trap(reader_first), saw_too_early(reader_first ? 0 : 1));
      search.run();
      EXPECT_EQ(search.block->progress.findings.load(), 1u) << strategy << reader_first;
      EXPECT_TRUE(search.complete()) << strategy;
      if (std::string(strategy).substr(0, 4) == "dpor") EXPECT_EQ(search.executions(), 4u) << strategy;
    }
  }
}

TEST(Trap, DiscoveredSharingMissesItInOneOrder) {
  Search search("sharing", trap(false), saw_too_early(1));
  search.run();
  EXPECT_EQ(search.block->progress.findings.load(), 0u);
  EXPECT_FALSE(search.complete());
  EXPECT_EQ(search.block->progress.promise_kept.load(), 1u);
  Search other("sharing", trap(true), saw_too_early(0));
  other.run();
  EXPECT_EQ(other.block->progress.findings.load(), 1u);
}

TEST(Sharing, NothingThatIsNotThere) {
  std::uint64_t lost = 0;
  for_programs(40'000, programs_to_try(10), [&](std::uint64_t seed, const toy::Program& program, const Truth& truth) {
    const Outcome outcome = explore("sharing", program);
    EXPECT_TRUE(std::includes(truth.ends.begin(), truth.ends.end(), outcome.ends.begin(), outcome.ends.end())) << seed;
    EXPECT_FALSE(outcome.complete);
    lost += outcome.ends.size() < truth.ends.size();
    return true;
  });
  EXPECT_GT(lost, 0u);  // documented: it is not complete
}

TEST(Shards, TogetherTheyWalkTheTreeOnce) {
  const toy::Program programs[] = {straight_lines({4, 4}), straight_lines({3, 2, 2}), crossed_locks(), ping_pong()};
  for (const char* strategy : {"dfs", "bounded", "bounded,preemptions=2", "bounded,delays=3"}) {
    for (const toy::Program& program : programs) {
      const Outcome alone = explore(strategy, program);
      for (const std::uint32_t shards : {2u, 3u, 5u}) {
        std::set<std::vector<std::uint32_t>> schedules;
        std::uint64_t executions = 0;
        bool complete = true;
        for (std::uint32_t shard = 0; shard < shards; ++shard) {
          Outcome part = explore(strategy, program, shard, shards);
          executions += part.executions;
          complete = complete && part.complete;
          schedules.merge(part.schedules);
        }
        EXPECT_EQ(schedules, alone.schedules) << strategy;
        EXPECT_EQ(complete, alone.complete) << strategy;
        // Bounds end where nothing is left in one's own part, so later ones may be run by fewer.
        if (std::string(strategy) == "dfs") EXPECT_EQ(executions, alone.executions);
        EXPECT_LE(executions, alone.executions) << strategy;
      }
    }
  }
}

// After a tenth of the run: the truth is in the interval, which is at most one order of magnitude wide.
void expect_good_estimates(const char* strategy, std::uint64_t least) {
  std::uint64_t programs = 0;
  std::uint64_t inside = 0;
  for_programs(50'000, 600, [&](std::uint64_t, const toy::Program& program, const Truth& truth) {
    const std::uint64_t whole = strategy == std::string("dfs") ? truth.interleavings : truth.traces.size();
    if (whole < least) return true;
    Search search(strategy, program);
    search.block->campaign.iterations = (whole + 9) / 10;
    search.run();
    const std::uint64_t low = search.block->progress.estimate_low.load();
    const std::uint64_t high = search.block->progress.estimate_high.load();
    EXPECT_LE(high, low * 10);
    ++programs;
    inside += low <= whole && whole <= high;
    if (std::getenv("RAVEL_SHOW") != nullptr) {
      std::printf("%s %lu of %lu: %lu, %lu to %lu\n", strategy, search.executions(), whole,
                  search.block->progress.estimate.load(), low, high);
    }
    return true;
  });
  EXPECT_GT(programs, 20u);
  EXPECT_GE(inside * 100, programs * 95) << strategy << ": " << inside << " of " << programs;
}

TEST(Estimates, OfUnreducedSearch) {
  expect_good_estimates("dfs", 100);
}

TEST(Estimates, OfReducedSearch) {
  expect_good_estimates("dpor", 40);
}

TEST(Estimates, AreExactAtTheEnd) {
  for (const char* strategy : {"dfs", "dpor", "clock-vector", "bounded"}) {
    Search search(strategy, ping_pong());
    search.run();
    EXPECT_EQ(search.block->progress.estimate.load(), search.executions()) << strategy;
    EXPECT_EQ(search.block->progress.estimate_low.load(), search.block->progress.estimate_high.load()) << strategy;
  }
}

}  // namespace
}  // namespace ravel::testing
