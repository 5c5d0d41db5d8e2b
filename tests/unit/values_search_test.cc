// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// values: as many executions as there are value schedules, by closed forms and on programs worked out by hand.
#include <gtest/gtest.h>

#include <string>

#include "explore/values/rules.h"
#include "support/toy_facts.h"
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

// 9, 10: n! orders of writes, 2^n sets of reads before one write.
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
  search.run();
  EXPECT_TRUE(search.complete());
  EXPECT_EQ(search.executions(), 9u);
  EXPECT_EQ(search.block->progress.values.failing, 4u);
  // As by hand: six points have a goal that can be reached, and all eight goals come true.
  const ValueCounts& counts = search.block->progress.values;
  EXPECT_EQ(counts.searches, 1u);
  EXPECT_EQ(counts.points, 6u);
  EXPECT_EQ(counts.goals[static_cast<std::size_t>(OrderKind::kRw)], 3u);
  EXPECT_EQ(counts.goals[static_cast<std::size_t>(OrderKind::kMm)], 5u);
  EXPECT_EQ(counts.fates[static_cast<std::size_t>(GoalFate::kFulfilled)], 8u);
  EXPECT_EQ(search.block->progress.abandoned.load(), 0u);
}

// if (Y < 0) X = 0: never, since Y is 0 or 10.
toy::Step if_negative() {
  toy::Step branch = load(8, 1);
  branch.flow = toy::Flow::kSkipUnlessEqual;
  branch.value = 200;
  branch.skip = 1;
  return branch;
}
const Threads kAccountsWithBranch = {kAccounts[0],
                                     {lock(1), load(0, 0), store(0, 246, 1), if_negative(), store(0, 0), unlock(1),
                                      lock(1), load(8, 1), store(8, 246, 2), unlock(1)}};
const Threads kSimpleAccount = {{lock(0), load(0, 0), store(0, 10, 1), unlock(0)},
                                {lock(1), load(0, 0), store(0, 246, 1), if_negative(), store(0, 0), unlock(1)}};

std::uint64_t of(const ValueCounts& counts, GoalFate fate) {
  return counts.fates[static_cast<std::size_t>(fate)];
}
std::uint64_t goals_of(const ValueCounts& counts) {
  std::uint64_t all = 0;
  for (const std::uint64_t goals : counts.goals) all += goals;
  return all;
}

// 12, 13: the exact work on the two account programs, with facts that know the access behind the branch.
TEST(Values, AccountsByFacts) {
  const toy::Program program{kAccountsWithBranch, {}, {}};
  const ToyFacts facts(program);
  const Outcome outcome = explore("values,order=dfs", program, 0, 1, facts.address());
  EXPECT_TRUE(outcome.complete) << outcome.note;
  EXPECT_EQ(outcome.executions, 9u);
  EXPECT_EQ(outcome.values.searches, 1u);
  EXPECT_EQ(outcome.values.points, 7u);
  EXPECT_EQ(goals_of(outcome.values), 11u);
  EXPECT_EQ(of(outcome.values, GoalFate::kFulfilled), 8u);
  EXPECT_EQ(of(outcome.values, GoalFate::kBranch), 3u);
  EXPECT_EQ(outcome.values.assumed, 2u) << "T1's two accesses with the one behind the branch";
}

TEST(Values, SimpleAccountByFacts) {
  const toy::Program program{kSimpleAccount, {}, {}};
  const ToyFacts facts(program);
  const Outcome outcome = explore("values,order=dfs", program, 0, 1, facts.address());
  EXPECT_EQ(outcome.executions, 4u);
  EXPECT_EQ(outcome.values.points, 3u);
  EXPECT_EQ(goals_of(outcome.values), 6u);
  EXPECT_EQ(of(outcome.values, GoalFate::kFulfilled), 3u);
  EXPECT_EQ(of(outcome.values, GoalFate::kBranch), 3u);
}

// 17: twenty branches before the target: one run a goal.
TEST(Values, TwentyBranches) {
  std::vector<toy::Step> second;
  for (unsigned i = 0; i < 20; ++i) {
    second.push_back(if_negative());
    second.push_back(store(16, 1));
  }
  second.push_back(store(0, 2));
  const toy::Program program{{{store(0, 1)}, second}, {}, {}};
  const ToyFacts facts(program);
  const Outcome outcome = explore("values", program, 0, 1, facts.address());
  EXPECT_EQ(outcome.executions, 2u);
  EXPECT_EQ(goals_of(outcome.values), 1u);
}

// 18: the answer of the code graph is known when it is asked for again.
TEST(Values, ReachabilityIsRemembered) {
  const toy::Program program{kAccountsWithBranch, {}, {}};
  const ToyFacts facts(program);
  const Outcome outcome = explore("values,order=dfs", program, 0, 1, facts.address());
  EXPECT_GT(outcome.values.cached, 0u);
  EXPECT_LT(outcome.values.cached, outcome.values.asked);
}

// 18: if (a == 0) if (b == 1) X = 2: the outer branch is taken, the inner one ends the goal.
TEST(Values, TheInnerBranchEndsTheGoal) {
  toy::Step outer = load(8, 1);
  outer.flow = toy::Flow::kSkipUnlessEqual;
  outer.value = 0;
  outer.skip = 3;
  toy::Step inner = load(16, 2);
  inner.flow = toy::Flow::kSkipUnlessEqual;
  inner.value = 1;
  inner.skip = 1;
  const toy::Program program{
      {{store(0, 1), store(0, 3)}, {outer, load(12, 3), inner, store(0, 2), store(20, 1)}}, {}, {}};
  const ToyFacts facts(program);
  Search search("values,order=dfs", program);
  search.block->campaign.facts = facts.address();
  std::uint64_t dropped = 0;
  search.executor.at_end = [&](std::uint64_t, SharedBlock& block) {
    if (block.result.outcome != OutcomeKind::kAbandoned) return;
    ++dropped;
    EXPECT_EQ(block.result.goals.fates[0], GoalFate::kBranch);
    const OperationView& last = search.executor.last_operations.back();
    EXPECT_EQ(last.location, 1u << 8 | 2u) << "the inner branch is the last that was executed";
  };
  search.run();
  EXPECT_TRUE(search.complete());
  EXPECT_EQ(search.executions(), 1u);
  EXPECT_EQ(dropped, 2u) << "before either of the two stores";
}

// 30, 31: the failing order of accesses to X comes before any order of locks; the set is the same.
TEST(Values, MemoryBeforeLocks) {
  const auto differs = [](const toy::State& state) { return toy::read_memory(state, 0) != toy::read_memory(state, 8); };
  std::uint64_t runs[2] = {};
  for (const bool priority : {false, true}) {
    Search search(priority ? "values" : "values,order=dfs", {kAccounts, {}, {}}, differs);
    search.block->campaign.keep_going = 0;
    search.run();
    runs[priority ? 1 : 0] = search.executor.runs;
    const ValueCounts& counts = search.block->progress.values;
    EXPECT_EQ(counts.points, priority ? 3u : counts.points) << "a run out of turn makes no points";
    EXPECT_EQ(counts.priority, priority ? 1u : 0u);
    EXPECT_EQ(counts.goals[static_cast<std::size_t>(OrderKind::kMm)] > 1, !priority);
  }
  EXPECT_EQ(runs[1], 2u);
  EXPECT_GT(runs[0], 2u);
  const Outcome all = explore("values", {kAccounts, {}, {}});
  EXPECT_TRUE(all.complete);
  EXPECT_EQ(all.executions, 9u);
  EXPECT_GT(all.values.priority, 0u);
}

// A step is compared with so many different earlier ones only; where there are more, pairs may be missing, and the
// result says so. Those of a loop are alike: one of them is enough.
TEST(Values, StepsThatWereNotComparedAreNoPartOfACompleteResult) {
  for (const bool loop : {false, true}) {
    for (const std::size_t stores : {500u, 1'100u}) {
      std::vector<toy::Step> writer = {lock(0)};
      for (std::size_t i = 0; i < stores; ++i) {
        writer.push_back(store(8, 1));
        if (i != 0 && loop) writer.back().as = 2;  // one place
      }
      writer.push_back(unlock(0));
      const Outcome outcome = explore("values", {{writer, {lock(0), load(8, 0), unlock(0)}}, {}, {}});
      EXPECT_EQ(outcome.executions, 2u);
      EXPECT_EQ(outcome.complete, loop || stores < 1'000) << outcome.note;
      EXPECT_EQ(outcome.note.empty(), outcome.complete) << outcome.note;
    }
  }
}

// Three stores at one place, only the second outside the lock: it is no other's like, so that the first execution shows
// the conflict, and no search starts over.
TEST(Values, StepsAreAlikeOnlyUnderTheSameLocks) {
  std::vector<toy::Step> writer = {lock(0), store(0, 1), unlock(0), store(0, 2), lock(0), store(0, 3), unlock(0)};
  writer[3].as = writer[5].as = 2;  // all at one place
  const toy::Program program{{writer, {lock(0), store(0, 4), unlock(0)}}, {}, {}};
  const Outcome outcome = explore("values", program);
  EXPECT_TRUE(outcome.complete) << outcome.note;
  EXPECT_EQ(outcome.executions, toy::count_traces(program).traces);
  EXPECT_EQ(outcome.values.searches, 1u);
}

// 21: a loop over the bytes of a word: a goal only for the byte that is about to be read, and one instance of it.
TEST(Values, BytesOfAWordAreDistinguished) {
  const auto loop = [](toy::Step (*step)(std::uint32_t at)) {
    std::vector<toy::Step> steps;
    for (std::uint32_t i = 0; i < 4; ++i) {
      steps.push_back(step(8 + i));
      if (i != 0) steps.back().as = 1;
    }
    return steps;
  };
  const toy::Program program{
      {loop([](std::uint32_t at) { return load(at); }), loop([](std::uint32_t at) { return store(at, 1); })}, {}, {}};
  const Outcome outcome = explore("values", program);
  EXPECT_TRUE(outcome.complete) << outcome.note;
  EXPECT_EQ(outcome.executions, toy::count_traces(program).traces);
  EXPECT_EQ(of(outcome.values, GoalFate::kAddress), 0u);
  EXPECT_EQ(of(outcome.values, GoalFate::kEnded), 0u);
  EXPECT_EQ(goals_of(outcome.values), outcome.executions - 1) << "every goal is a schedule";
}

// The second thread conflicts with the first, and can never run beside it.
TEST(Values, NoPointsWhereNobodyElseCanRun) {
  const toy::Program program{{{store(0, 1), toy::on(OpKind::kSemPost, 0), toy::on(OpKind::kSemWait, 1), store(0, 3)},
                              {toy::on(OpKind::kSemWait, 0), store(0, 2), toy::on(OpKind::kSemPost, 1)}},
                             {},
                             {}};
  const Outcome outcome = explore("values", program);
  EXPECT_TRUE(outcome.complete) << outcome.note;
  EXPECT_EQ(outcome.executions, toy::count_traces(program).traces);
  EXPECT_EQ(outcome.values.searches, 1u);
  const std::uint64_t memory = outcome.values.goals[static_cast<std::size_t>(OrderKind::kRw)];
  EXPECT_EQ(memory, 0u) << "neither store can change its place";
}

TEST(Values, NoPointsOfTheExecutionThatEndsTheCampaign) {
  for (const bool goes_on : {false, true}) {
    Search search("values", {kAccounts, {}, {}}, [](const toy::State&) { return true; });
    search.block->campaign.keep_going = goes_on ? 1 : 0;
    search.run();
    EXPECT_EQ(search.executions(), goes_on ? 9u : 1u);
    EXPECT_EQ(search.block->progress.values.failing, goes_on ? 9u : 1u);
    EXPECT_EQ(search.block->progress.values.points == 0, !goes_on);
    EXPECT_EQ(search.complete(), goes_on);
  }
}

// 32: every order between T1's write of X and its partners, before everything else.
TEST(Values, AccessOfInterest) {
  const toy::Program program{kAccountsWithBranch, {}, {}};
  for (const bool variable : {false, true}) {
    ToyFacts facts(program);
    if (variable) {
      facts.look_at({LocationId{0}, FakeExecutor::location_of(0, 1), FakeExecutor::location_of(0, 2),
                     FakeExecutor::location_of(1, 1), FakeExecutor::location_of(1, 2),
                     FakeExecutor::location_of(1, 4)});
    } else {
      facts.look_at({FakeExecutor::location_of(0, 2)});
    }
    Search search("values,order=dfs", program,
                  [](const toy::State& state) { return toy::read_memory(state, 0) != toy::read_memory(state, 8); });
    search.block->campaign.facts = facts.address();
    std::uint64_t failed_first = 0;
    std::uint64_t failed = 0;
    std::uint64_t counted = 0;
    bool last = false;
    const auto settle = [&] {
      if (search.executions() != counted && last) {
        ++failed;
        failed_first += search.executions() <= 4;
      }
      counted = search.executions();
    };
    search.executor.at_end = [&](std::uint64_t, SharedBlock& block) {
      settle();
      last = block.result.outcome == OutcomeKind::kAssertion;
    };
    search.run();
    settle();
    EXPECT_TRUE(search.complete());
    EXPECT_EQ(search.executions(), 9u);
    EXPECT_EQ(search.block->progress.values.marked, 4u);
    EXPECT_EQ(failed_first, 2u);
    EXPECT_EQ(failed, 4u);
  }
}

// 40: the set is the same, whichever thread begins.
TEST(Values, WhoeverBegins) {
  Threads with_third = kAccountsWithBranch;
  with_third.push_back({store(8, 200)});
  const Threads philosophers = {{lock(0), lock(1), unlock(1), unlock(0)},
                                {lock(1), lock(2), unlock(2), unlock(1)},
                                {lock(2), lock(0), unlock(0), unlock(2)}};
  const Threads waiter = {{lock(0), toy::on(OpKind::kCondWait, 0, 0), unlock(0)},
                          {lock(0), toy::on(OpKind::kCondBroadcast, 0), unlock(0)}};
  const Threads introduction = {{store(0, 0), store(1, 3), store(2, 0), store(3, 0)},
                                {store(0, 1), load(0, 0), store(4, 1)}};
  const Threads instances(2, {load(0, 0), store(0, 1, 1), load(0, 0), store(0, 1, 1)});
  const auto notifies = [](std::uint32_t value) {
    return std::vector<toy::Step>{lock(0), store(8, value), toy::on(OpKind::kCondSignal, 0), unlock(0)};
  };
  const auto waits = [](const toy::Step& then) {
    toy::Step test = load(8, 2);
    test.flow = toy::Flow::kSkipUnlessEqual;
    test.value = 0;
    test.skip = 1;
    return std::vector<toy::Step>{lock(0), test, toy::on(OpKind::kCondWait, 0, 0), then, unlock(0)};
  };
  const std::vector<toy::Step> wakes_all = {lock(0), store(8, 1), toy::on(OpKind::kCondBroadcast, 0), unlock(0)};
  const Threads notifiers = {
      {lock(0), toy::on(OpKind::kCondWait, 0, 0), load(8, 0), unlock(0)}, notifies(1), notifies(2)};
  const Threads both = {waits(store(16, 1)), waits(load(16, 0)), wakes_all};
  const std::pair<Threads, std::uint64_t> programs[] = {{kAccounts, 9},    {kSimpleAccount, 4}, {with_third, 60},
                                                        {philosophers, 7}, {waiter, 2},         {introduction, 3},
                                                        {instances, 34},   {notifiers, 8},      {both, 10}};
  for (const auto& [threads, schedules] : programs) {
    for (std::size_t first = 0; first <= threads.size(); ++first) {
      const std::string strategy = "values,first=" + std::to_string(first);
      const Outcome outcome = explore(strategy.c_str(), {threads, {}, {}});
      EXPECT_TRUE(outcome.complete) << strategy;
      EXPECT_EQ(outcome.executions, schedules) << strategy << text_of({threads, {}, {}});
    }
  }
}

// 15: an execution whose goal is behind the branch ends at the branch, also with a third thread that doubles the
// orders.
TEST(Values, NothingRunsBehindADroppedGoal) {
  Threads threads = kAccountsWithBranch;
  threads.push_back({lock(1), unlock(1)});
  const toy::Program program{threads, {}, {}};
  const ToyFacts facts(program);
  Search search("values,order=dfs", program);
  search.block->campaign.facts = facts.address();
  std::uint64_t dropped = 0;
  search.executor.at_end = [&](std::uint64_t, SharedBlock& block) {
    if (block.result.outcome != OutcomeKind::kAbandoned) return;
    const std::uint32_t goals = block.plan.goals.count;
    if (goals == 0 || block.result.goals.fates[goals - 1] != GoalFate::kBranch) return;
    ++dropped;
    const OperationView& last = search.executor.last_operations.back();
    EXPECT_EQ(last.thread, 1u);
    EXPECT_EQ(last.kind, if_negative().kind) << "the branch is the last that was executed";
  };
  search.run();
  EXPECT_TRUE(search.complete());
  EXPECT_EQ(search.executions(), toy::count_traces(program).traces);
  EXPECT_GT(dropped, 3u);
}

// 43: four variables, two threads, one write each.
TEST(Values, SlicesApart) {
  const std::vector<toy::Step> writes = {store(0, 1), store(8, 1), store(12, 1), store(16, 1)};
  const toy::Program program{{writes, writes}, {}, {}};
  EXPECT_EQ(explore("values", program).executions, 16u);
  const Outcome apart = explore("values,slices=apart", program);
  EXPECT_EQ(apart.executions, 8u);
  EXPECT_EQ(apart.values.slices, 4u);
  EXPECT_FALSE(apart.complete);
  EXPECT_NE(apart.note.find("each order was seen"), std::string::npos) << apart.note;
  EXPECT_EQ(apart.ends.size(), 1u);
  // A thread that has read one may do otherwise with the others: then they belong together.
  const toy::Program reads{{{load(0, 0), store(8, 1)}, {store(0, 1), store(8, 2)}}, {}, {}};
  const Outcome together = explore("values,slices=apart", reads);
  EXPECT_TRUE(together.complete) << together.note;
  EXPECT_EQ(together.executions, explore("values", reads).executions);
  EXPECT_EQ(together.values.slices, 1u);
}

// 19, 23, 24: instances in both threads, opposite locks, a lost notification.
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

struct Ends {
  std::uint64_t schedules = 0;
  std::uint64_t failing = 0;  // deadlocks included
  std::uint64_t deadlocks = 0;
};

// Every value schedule, with what `fails` says of its end; their number also by trying all interleavings.
Ends ends_of(const Threads& threads, const FakeExecutor::Judge& fails) {
  const toy::Program program{threads, {}, {}};
  Search search("values", program, fails);
  std::uint64_t counted = 0;
  std::uint64_t deadlocks = 0;
  OutcomeKind last = OutcomeKind::kCompleted;
  // Whether a run counts shows behind it; a search that starts over counts again.
  const auto settle = [&] {
    if (search.executions() < counted) deadlocks = 0;
    if (search.executions() > counted && last == OutcomeKind::kDeadlock) ++deadlocks;
    counted = search.executions();
  };
  search.executor.at_end = [&](std::uint64_t, SharedBlock& block) {
    settle();
    last = block.result.outcome;
  };
  search.run();
  settle();
  EXPECT_TRUE(search.complete()) << search.block->progress.strategy_note;
  EXPECT_EQ(search.executions(), toy::count_traces(program).traces);
  return {search.executions(), search.block->progress.values.failing, deadlocks};
}

toy::Step wait_on(std::uint32_t condition, std::uint32_t mutex) {
  return toy::on(OpKind::kCondWait, condition, mutex);
}
// if (memory[at] == 0) { the next step }
toy::Step if_zero(std::uint32_t at) {
  toy::Step branch = load(at, 2);
  branch.flow = toy::Flow::kSkipUnlessEqual;
  branch.value = 0;
  branch.skip = 1;
  return branch;
}

// 11: the introductory program, 35 interleavings.
TEST(Values, Introduction) {
  const Threads threads = {{store(0, 0), store(1, 3), store(2, 0), store(3, 0)},
                           {store(0, 1), load(0, 0), store(4, 1)}};
  EXPECT_EQ(toy::count_traces({threads, {}, {}}).interleavings, 35u);
  const Ends ends = ends_of(threads, [](const toy::State& state) { return state.threads[1].registers[0] == 0; });
  EXPECT_EQ(ends.schedules, 3u);
  EXPECT_EQ(ends.failing, 1u);
}

// 16: a third thread makes the branch true.
TEST(Values, ThirdThreadOpensTheBranch) {
  Threads threads = kAccountsWithBranch;
  threads.push_back({store(8, 200)});
  const Ends ends = ends_of(
      threads, [](const toy::State& state) { return toy::read_memory(state, 0) != toy::read_memory(state, 8); });
  EXPECT_EQ(ends.schedules, 60u);
  EXPECT_EQ(ends.failing, 50u);
  // In one of them T2 sees T3's write, and its own write behind the branch comes before T1's.
  Search search("values", {threads, {}, {}});
  std::uint64_t seen = 0;
  search.executor.at_end = [&](std::uint64_t, SharedBlock& block) {
    if (block.result.outcome == OutcomeKind::kAbandoned) return;
    const std::vector<OperationView>& done = search.executor.last_operations;
    const auto at = [&](std::uint32_t thread, std::uint32_t step) {
      std::size_t i = 0;
      while (i < done.size() && done[i].location != (thread << 8 | step)) ++i;
      return i;
    };
    const std::size_t branch = at(1, 3);
    const bool sees_third = at(2, 0) < branch && branch < at(0, 6);
    seen += sees_third && at(1, 4) < at(0, 2) && at(0, 2) < done.size() ? 1 : 0;
  };
  search.run();
  EXPECT_GT(seen, 0u);
}

// 25: whichever of two notifications wakes the waiter.
TEST(Values, SeveralNotifiers) {
  const auto notifier = [](std::uint32_t value) {
    return std::vector<toy::Step>{lock(0), store(8, value), toy::on(OpKind::kCondSignal, 0), unlock(0)};
  };
  const Ends ends = ends_of({{lock(0), wait_on(0, 0), load(8, 0), unlock(0)}, notifier(1), notifier(2)},
                            [](const toy::State& state) { return state.threads[0].registers[0] == 2; });
  EXPECT_EQ(ends.schedules, 8u);
  EXPECT_EQ(ends.failing, 3u + 2u) << "three assertions and two deadlocks";
  EXPECT_EQ(ends.deadlocks, 2u);
}

// 26: somebody enters between the notification and the one that was woken.
TEST(Values, Barging) {
  const Ends ends = ends_of(
      {{lock(0), if_zero(8), wait_on(0, 0), load(8, 0), store(16, 1), unlock(0)},
       {lock(0), store(8, 1), toy::on(OpKind::kCondBroadcast, 0), unlock(0)},
       {lock(0), store(8, 0), unlock(0)}},
      [](const toy::State& state) { return toy::read_memory(state, 16) == 1 && state.threads[0].registers[0] == 0; });
  EXPECT_EQ(ends.schedules, 7u);
  EXPECT_EQ(ends.failing, 1u + 1u) << "an assertion and a deadlock";
  EXPECT_EQ(ends.deadlocks, 1u);
}

// 27: two that were woken by one notification, in both orders.
TEST(Values, WokenBoth) {
  const Ends ends = ends_of({{lock(0), if_zero(8), wait_on(0, 0), store(16, 1), unlock(0)},
                             {lock(0), if_zero(8), wait_on(0, 0), load(16, 0), unlock(0)},
                             {lock(0), store(8, 1), toy::on(OpKind::kCondBroadcast, 0), unlock(0)}},
                            [](const toy::State& state) { return state.threads[1].registers[0] == 1; });
  EXPECT_EQ(ends.schedules, 10u);
  EXPECT_EQ(ends.failing, 5u);
  EXPECT_EQ(ends.deadlocks, 0u);
}

// 29: a buffer of one slot, two producers and two consumers, one condition: a signal may go to the wrong kind.
TEST(Values, WhichWaiterIsWoken) {
  const auto thread = [](std::uint32_t blocked_at, OpKind notifies) {
    std::vector<toy::Step> steps = {lock(0)};
    for (int i = 0; i < 3; ++i) {  // while: no thread is woken more often
      toy::Step test = load(8, 2);
      test.flow = toy::Flow::kSkipUnlessEqual;
      test.value = blocked_at;
      test.skip = 1;
      steps.push_back(test);
      steps.push_back(wait_on(0, 0));
    }
    steps.insert(steps.end(), {store(8, blocked_at), toy::on(notifies, 0), unlock(0)});
    return steps;
  };
  for (const bool one : {true, false}) {
    const OpKind kind = one ? OpKind::kCondSignal : OpKind::kCondBroadcast;
    const Ends ends = ends_of({thread(1, kind), thread(1, kind), thread(0, kind), thread(0, kind)}, {});
    EXPECT_TRUE(!one || ends.schedules == 80) << ends.schedules;
    EXPECT_EQ(ends.failing, one ? 8u : 0u);
    EXPECT_EQ(ends.deadlocks, ends.failing);
  }
}

// A signal without the mutex, two waiters, one of them twice at one place: whom it wakes is not asked again for each
// order that comes before it.
TEST(Values, WaitersAreChosenOnceForAnOrder) {
  const std::vector<toy::Step> waits = {lock(0), wait_on(0, 0), unlock(0)};
  std::vector<toy::Step> twice = waits;
  twice.insert(twice.end(), waits.begin(), waits.end());
  for (std::uint32_t i = 3; i < 6; ++i) twice[i].as = i - 2;
  const toy::Step signal = toy::on(OpKind::kCondSignal, 0);
  const Threads threads = {{signal}, waits, {lock(0), signal, unlock(0)}, twice};
  const std::optional<Truth> truth = truth_of({threads, {}, {}}, kMostInterleavings);
  ASSERT_TRUE(truth);
  EXPECT_EQ(runs(threads), truth->traces.size());
}

// 28: the wait inside leaves only the inner lock.
TEST(Values, NestedMonitor) {
  const Ends ends = ends_of({{lock(0), lock(1), if_zero(8), wait_on(0, 1), unlock(1), unlock(0)},
                             {lock(0), lock(1), store(8, 1), toy::on(OpKind::kCondSignal, 0), unlock(1), unlock(0)}},
                            {});
  EXPECT_EQ(ends.schedules, 2u);
  EXPECT_EQ(ends.failing, 1u);
  EXPECT_EQ(ends.deadlocks, 1u);
}

// 36: a notification without the lock may come between the test and the wait, and is lost.
TEST(Values, NakedNotification) {
  toy::Step test = if_zero(8);
  test.skip = 3;
  const Ends ends =
      ends_of({{test, lock(0), wait_on(0, 0), unlock(0)}, {store(8, 1), toy::on(OpKind::kCondSignal, 0)}}, {});
  EXPECT_GT(ends.deadlocks, 0u);
  EXPECT_EQ(ends.deadlocks, ends.failing);
}

// 14: b = 1; s = a; b = -1 against if (b < 0) a = 0: the write that a goal is about exists in one order only.
TEST(Values, TargetsBehindABranch) {
  toy::Step branch = load(8);
  branch.flow = toy::Flow::kSkipUnlessEqual;
  branch.value = 2;
  branch.skip = 1;
  EXPECT_EQ(runs({{store(8, 1), load(0), store(8, 2)}, {branch, store(0, 5)}}), 3u);
}

}  // namespace
}  // namespace ravel::testing
