// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The other searches against trying every interleaving, on random programs: what each of them promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/toy_programs.h"
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

// States are matched by the policy's hash of happens-before: if it took two for one, an end would be missing.
// Programs with accesses that overlap in part are refused.
void expect_the_same_ends_if_exact(const char* strategy, std::uint64_t programs) {
  std::uint64_t refused = 0;
  for_programs(10'000, programs, [&](std::uint64_t seed, const toy::Program& program, const Truth& truth) {
    const Outcome outcome = explore(strategy, program);
    const std::string where = std::string(strategy) + ", seed " + std::to_string(seed) + text_of(program);
    if (outcome.note.find("cannot be distinguished") != std::string::npos) {
      EXPECT_FALSE(outcome.complete) << where;
      ++refused;
      return true;
    }
    EXPECT_TRUE(outcome.complete) << outcome.note << ", " << where;
    EXPECT_TRUE(outcome.ends == truth.ends) << outcome.ends.size() << " ends of " << truth.ends.size() << ", " << where;
    EXPECT_GE(outcome.executions, truth.traces.size()) << where;
    EXPECT_LE(outcome.executions, truth.interleavings) << where;
    return !::testing::Test::HasFailure();
  });
  EXPECT_LT(refused, programs / 4);
}

TEST(StateMatch, TheSameEnds) {
  expect_the_same_ends_if_exact("dfs,match=states", programs_to_try(4));
}

TEST(StateMatch, InRandomOrderTheSameEnds) {
  expect_the_same_ends_if_exact("dfs,match=states,order=random", programs_to_try(8));
}

// Two threads of two and three operations that do not touch each other: a grid of states, one execution a row of it.
TEST(StateMatch, IndependentOperationsAreNotReordered) {
  Search plain("dfs", straight_lines({2, 3}));
  plain.run();
  EXPECT_EQ(plain.executions(), 10u);
  Search matched("dfs,match=states", straight_lines({2, 3}));
  matched.run();
  EXPECT_TRUE(matched.complete());
  EXPECT_LT(matched.executions(), 10u);
  // Where both can run: 2 x 3 states, each a choice once.
  EXPECT_EQ(matched.block->progress.goal_states.load(), 6u);
}

TEST(BestFirst, WithRoomForAllItIsComplete) {
  for (const char* strategy : {"best-first,queue=4000", "best-first,by=interleaving,queue=4000",
                               "best-first,by=coverage,queue=4000", "best-first,by=blocked,queue=4000",
                               "best-first,by=branch,queue=4000", "best-first,by=prefer,thread=1,queue=4000"}) {
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
  // One must look right behind the other's first step. dfs begins at the end of the schedule and comes to that last.
  toy::Program program{{{store(0, 1), store(0, 2)}, {load(0, 0)}}, {}, {}};
  for (auto& thread : program.threads) {
    for (unsigned i = 0; i < 5; ++i) thread.push_back(toy::add(8, 1));
  }
  const auto looked = [](const toy::State& state) { return state.threads[1].registers[0] == 1; };
  const std::uint64_t plain = found_after("dfs", program, looked);
  EXPECT_GT(plain, 200u);
  for (const char* strategy : {"best-first", "best-first,by=coverage"}) {
    const std::uint64_t guided = found_after(strategy, program, looked);
    EXPECT_GT(guided, 0u) << strategy;
    EXPECT_LT(guided, plain) << strategy;
  }
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
  for (const char* strategy : {"dfs", "dpor", "dpor,sets=source", "clock-vector", "clock-vector,dependence=object"}) {
    for (const bool reader_first : {false, true}) {
      Search search(strategy, trap(reader_first), saw_too_early(reader_first ? 0 : 1));
      search.run();
      EXPECT_EQ(search.block->progress.findings.load(), 1u) << strategy << reader_first;
      EXPECT_TRUE(search.complete()) << strategy;
      const bool reduced = std::string(strategy).substr(0, 4) == "dpor";
      EXPECT_TRUE(!reduced || search.executions() == 4) << strategy << ": " << search.executions();
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
  for_programs(40'000, programs_to_try(10), [&](std::uint64_t seed, const toy::Program& program, const Truth& truth) {
    const Outcome outcome = explore("sharing", program);
    EXPECT_TRUE(std::includes(truth.ends.begin(), truth.ends.end(), outcome.ends.begin(), outcome.ends.end())) << seed;
    EXPECT_FALSE(outcome.complete);
    return true;
  });
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
        EXPECT_TRUE(std::string(strategy) != "dfs" || executions == alone.executions) << executions;
        EXPECT_LE(executions, alone.executions) << strategy;
      }
    }
  }
}

}  // namespace
}  // namespace ravel::testing
