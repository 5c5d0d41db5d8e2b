// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// values: as many executions as there are value schedules, by closed forms and against trying every interleaving.
#include <gtest/gtest.h>

#include <string>

#include "explore/values/rules.h"
#include "support/truth.h"

namespace ravel::testing {
namespace {

using toy::add;
using toy::load;
using toy::lock;
using toy::store;
using toy::trylock;
using toy::unlock;

using Threads = std::vector<std::vector<toy::Step>>;

std::uint64_t runs(const Threads& threads) {
  Search search("values", {threads, {}, {}});
  search.block->campaign.iterations = 100'000;
  search.run();
  EXPECT_TRUE(search.complete()) << search.block->progress.strategy_note;
  return search.executions();
}

std::uint64_t factorial(unsigned n) {
  return n < 2 ? 1 : n * factorial(n - 1);
}

TEST(Values, ClosedForms) {
  for (unsigned n = 1; n <= 5; ++n) {
    Threads readers(n, {load(0)});
    readers.push_back({store(0, 1)});
    EXPECT_EQ(runs(readers), 1u << n);
    EXPECT_EQ(runs(Threads(n, {store(0, 1)})), factorial(n));
    EXPECT_EQ(runs(Threads(n, {add(0, 1)})), factorial(n));
    EXPECT_EQ(runs(Threads(n, {lock(0), unlock(0)})), factorial(n));
  }
  EXPECT_EQ(runs(Threads(3, {load(0, 0), store(0, 1, 1)})), 36u);
  EXPECT_EQ(runs(Threads(3, {lock(0), unlock(0), lock(0), unlock(0)})), 90u);
  EXPECT_EQ(runs({{lock(0), unlock(0)}, {trylock(0, 1), unlock(0)}}), 3u);
}

// T1: lock X {X += 10}; lock Y {Y += 10}. T2: lock Y {X -= 10; reads Y}; lock Y {Y -= 10}: it should have locked X.
const Threads kAccounts = {
    {lock(0), load(0, 0), store(0, 10, 1), unlock(0), lock(1), load(8, 1), store(8, 10, 2), unlock(1)},
    {lock(1), load(0, 0), store(0, 246, 1), load(8, 1), unlock(1), lock(1), load(8, 1), store(8, 246, 2), unlock(1)}};

TEST(Values, AccountsByHand) {
  Search search("values", {kAccounts, {}, {}},
                [](const toy::State& state) { return toy::read_memory(state, 0) != toy::read_memory(state, 8); });
  unsigned failed = 0;
  search.executor.at_end = [&](std::uint64_t, SharedBlock& block) {
    failed += block.result.outcome == OutcomeKind::kAssertion;
  };
  search.run();
  EXPECT_TRUE(search.complete());
  EXPECT_EQ(search.executions(), 9u);
  EXPECT_EQ(failed, 4u);
  // As by hand: six points have a goal that can be reached, and all eight goals come true.
  const ValueCounts& counts = search.block->progress.values;
  EXPECT_EQ(counts.searches, 1u);
  EXPECT_EQ(counts.points, 6u);
  EXPECT_EQ(counts.goals[static_cast<std::size_t>(OrderKind::kRw)], 3u);
  EXPECT_EQ(counts.goals[static_cast<std::size_t>(OrderKind::kMm)], 5u);
  EXPECT_EQ(counts.fates[static_cast<std::size_t>(GoalFate::kFulfilled)], 8u);
  EXPECT_EQ(search.block->progress.abandoned.load(), 0u);
}

TEST(Values, WhoeverBegins) {
  for (const char* strategy : {"values", "values,first=1", "values,first=2"}) {
    Search search(strategy, {kAccounts, {}, {}});
    search.run();
    EXPECT_TRUE(search.complete()) << strategy;
    EXPECT_EQ(search.executions(), 9u) << strategy;
  }
}

TEST(Values, ProgramsOfTheLiterature) {
  EXPECT_EQ(runs({{load(0, 0), store(0, 1, 1)}, {load(0, 0), store(0, 1, 1), load(0, 0), store(0, 1, 1)}}), 9u);
  EXPECT_EQ(runs(Threads(2, {load(0, 0), store(0, 1, 1), load(0, 0), store(0, 1, 1)})), 34u);
  EXPECT_EQ(runs({{store(0, 1), store(0, 1)}, {load(0), load(0)}}), 6u);
  // Opposite orders of two locks: a deadlock is a value schedule.
  EXPECT_EQ(runs({{lock(0), lock(1), unlock(1), unlock(0)}, {lock(1), lock(0), unlock(0), unlock(1)}}), 3u);
  // Three philosophers.
  EXPECT_EQ(runs({{lock(0), lock(1), unlock(1), unlock(0)},
                  {lock(1), lock(2), unlock(2), unlock(1)},
                  {lock(2), lock(0), unlock(0), unlock(2)}}),
            7u);
  // A wait without a condition, and a notification that may come too early.
  EXPECT_EQ(runs({{lock(0), toy::on(OpKind::kCondWait, 0, 0), unlock(0)},
                  {lock(0), toy::on(OpKind::kCondBroadcast, 0), unlock(0)}}),
            2u);
}

// b = 1; s = a; b = -1 against if (b < 0) a = 0: the write that a goal is about exists in one order only.
TEST(Values, TargetsBehindABranch) {
  toy::Step branch = load(8);
  branch.flow = toy::Flow::kSkipUnlessEqual;
  branch.value = 2;
  branch.skip = 1;
  EXPECT_EQ(runs({{store(8, 1), load(0), store(8, 2)}, {branch, store(0, 5)}}), 3u);
}

// Memory, mutexes, conditions, semaphores, barriers, without time-outs: what values calls complete (values/scope.h).
bool all_covered(const toy::Program& program) {
  if (has_timeouts(program)) return false;
  for (const auto& thread : program.threads) {
    for (const toy::Step& step : thread) {
      const OpClass group = op_class(step.kind);
      const bool memory = group == OpClass::kPlain || group == OpClass::kAtomic;
      const bool covered = memory || step.kind == OpKind::kMutexLock || step.kind == OpKind::kMutexTryLock ||
                           step.kind == OpKind::kMutexUnlock || step.kind == OpKind::kCondWait ||
                           step.kind == OpKind::kCondReacquire || step.kind == OpKind::kCondSignal ||
                           step.kind == OpKind::kCondBroadcast || step.kind == OpKind::kSemWait ||
                           step.kind == OpKind::kSemTryWait || step.kind == OpKind::kSemPost ||
                           step.kind == OpKind::kBarrierArrive || step.kind == OpKind::kBarrierLeave;
      if (!covered) return false;
    }
  }
  return true;
}

TEST(ValuesFuzz, OneExecutionAValueScheduleAndTheSameEnds) {
  std::uint64_t schedules = 0;
  std::uint64_t beside = 0;
  std::uint64_t covered = 0;
  for_programs(first_program(), programs_to_try(),
               [&](std::uint64_t seed, const toy::Program& program, const Truth& truth) {
                 const Outcome outcome = explore("values", program);
                 const std::string where = "seed " + std::to_string(seed) + text_of(program);
                 // Fails closed where its rules were not shown to be exact; what it runs is exact there too.
                 const bool outside = outcome.note.find("cannot reason") != std::string::npos ||
                                      outcome.note.find("time-outs") != std::string::npos;
                 EXPECT_EQ(outcome.complete, !outside) << outcome.note << ", " << where;
                 EXPECT_LE(outside, !all_covered(program)) << outcome.note << ", " << where;
                 covered += outcome.complete;
                 EXPECT_EQ(outcome.executions, truth.traces.size()) << where;
                 EXPECT_TRUE(outcome.ends == truth.ends)
                     << outcome.ends.size() << " ends of " << truth.ends.size() << ", " << where;
                 schedules += truth.traces.size();
                 beside += outcome.blocked;
                 return !::testing::Test::HasFailure() || std::getenv("RAVEL_FUZZ_ALL") != nullptr;
               });
  EXPECT_GT(covered, programs_to_try() / 20) << "hardly any program is within the scope";
  RecordProperty("redundant", std::to_string(beside) + " beside " + std::to_string(schedules));
}

struct Rule {
  const char* name;
  std::uint32_t bit;
};
constexpr Rule kRules[] = {
    {"subset", values::kOffSubset},
    {"release path", values::kOffRelease},
    {"WN", values::kOffWn},
    {"WM", values::kOffWm},
    {"WW", values::kOffWw},
    {"dedicated points", values::kOffDedicated},
    {"not on the stack", values::kOffOnTheStack},
    {"waiting for ever", values::kOffForEver},
    {"blocked on the way", values::kOffBlocked},
};

TEST(ValuesFuzz, EveryRuleIsNeeded) {
  for (const Rule& rule : kRules) {
    values::rules_off = rule.bit;
    bool noticed = false;
    for_programs(0, 2'000, [&](std::uint64_t, const toy::Program& program, const Truth& truth) {
      const Outcome outcome = explore("values", program);
      noticed = outcome.executions != truth.traces.size() || outcome.ends != truth.ends;
      return !noticed;
    });
    values::rules_off = 0;
    EXPECT_TRUE(noticed) << rule.name;
  }
}

}  // namespace
}  // namespace ravel::testing
