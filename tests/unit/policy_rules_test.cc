// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What every policy keeps: the same spec gives the same choices, nobody starves behind a spinning thread, and the
// non-random ones choose exactly what their description says.
#include <gtest/gtest.h>

#include <set>

#include "model/policy_depth.h"
#include "runtime/policy/thread_table.h"
#include "support/policy_runner.h"

namespace ravel::toy {
namespace {

constexpr PolicyKind kAll[] = {PolicyKind::kRunOn,     PolicyKind::kRandomWalk, PolicyKind::kPct,   PolicyKind::kPos,
                               PolicyKind::kPreempt,   PolicyKind::kPark,       PolicyKind::kSurw,  PolicyKind::kPeriod,
                               PolicyKind::kReadsFrom, PolicyKind::kNoise,      PolicyKind::kGuided};

PolicySpec spec_with_switches(PolicyKind kind, std::uint64_t seed) {
  PolicySpec spec = policy_spec(kind, seed, 3, 20);
  spec.switches = 2;
  spec.forced[0] = {static_cast<std::uint32_t>(seed % 5), static_cast<std::uint32_t>(seed % 3)};
  spec.forced[1] = {6, 1};
  spec.noise = {NoiseSeeding::kMixed, NoisePlaces::kEverywhere, 200, 3, 1};
  return spec;
}

std::vector<OperationView> views_of(std::initializer_list<std::uint32_t> threads) {
  std::vector<OperationView> views;
  for (const std::uint32_t thread : threads) {
    OperationView view;
    view.kind = OpKind::kAtomicLoad;
    view.thread = thread;
    view.place = 64;
    view.size = 4;
    views.push_back(view);
  }
  return views;
}

Program mixed_program() {
  const std::vector<Step> section = {lock(0), load(0, 0), store(0, 1, 1), unlock(0), add(1, 1), load(2)};
  return {{section, section, {trylock(0, 1), unlock(0), store(2, 1), add(1, 1)}}, {}, {}};
}

TEST(AllPolicies, SameSpecSameChoices) {
  const Program program = mixed_program();
  for (const PolicyKind kind : kAll) {
    std::set<std::vector<std::uint32_t>> different;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
      const Played first = run(program, spec_with_switches(kind, seed));
      for (const PolicyKind other : kAll) run(program, spec_with_switches(other, seed + 1));  // leaves nothing behind
      EXPECT_EQ(first.schedule, run(program, spec_with_switches(kind, seed)).schedule);
      EXPECT_TRUE(first.complete);
      different.insert(first.schedule);
    }
    EXPECT_GT(different.size(), 2u) << kPolicyNames[static_cast<std::size_t>(kind)];
  }
}

TEST(AllPolicies, SpinningThreadsStarveNobody) {
  Step spin = load(0);
  spin.flow = Flow::kRepeatWhileZero;
  // Two wait by spinning for the third, whatever its place; it has a few steps to do and gives way once itself.
  const std::vector<Step> worker = {add(1, 1), add(1, 1), on(OpKind::kYield, 0), add(1, 1), store(0, 1)};
  const std::vector<std::vector<Step>> orders[] = {
      {{spin}, {spin}, worker}, {{spin}, worker, {spin}}, {worker, {spin}, {spin}}};
  for (const auto& threads : orders) {
    for (const PolicyKind kind : kAll) {
      for (std::uint64_t seed = 0; seed < 500; ++seed) {
        const Played r = run({threads, {}, {}}, spec_with_switches(kind, seed), 400);
        ASSERT_TRUE(r.complete) << kPolicyNames[static_cast<std::size_t>(kind)] << " seed " << seed;
      }
    }
  }
}

TEST(AllPolicies, YieldGivesWay) {
  const std::vector<OperationView> views = views_of({0, 1, 2});
  for (const PolicyKind kind : {PolicyKind::kRunOn, PolicyKind::kPct, PolicyKind::kPreempt}) {
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      Policy& policy = policy_for(kind);
      policy.begin(policy_spec(kind, seed, 1));
      std::set<std::size_t> ran;
      int current = static_cast<int>(policy.pick({views, -1, false}));
      for (int i = 0; i < 3; ++i) {
        ran.insert(static_cast<std::size_t>(current));
        const std::size_t next = policy.pick({views, current, true});
        EXPECT_NE(static_cast<int>(next), current);
        current = static_cast<int>(next);
      }
      EXPECT_EQ(ran.size(), 3u);  // each in turn before one comes again
    }
  }
}

// Policies that make a thread stand still before a place of theirs let it go on when the others only give way: they may
// wait for just this thread, and in code that is not instrumented nobody sees what for.
TEST(AllPolicies, WhoStandsStillIsNotStarvedByThoseWhoYield) {
  constexpr std::uint32_t kPlace = 7;
  for (const std::size_t yielding : {1u, 2u}) {
    std::vector<OperationView> views = yielding == 1 ? views_of({0, 1}) : views_of({0, 1, 2});
    for (std::size_t i = 0; i < yielding; ++i) views[i].kind = OpKind::kYield;
    views.back().location = LocationId(kPlace);
    for (const PolicyKind kind : kAll) {
      for (std::uint64_t seed = 0; seed < 50; ++seed) {
        PolicySpec spec = policy_spec(kind, seed, 1);
        spec.park_at[0] = LocationId(kPlace);
        spec.counts[0] = spec.counts[1] = 1000;  // whoever is drawn, it is one of those who yield
        Policy& policy = policy_for(kind);
        policy.begin(spec);
        std::size_t current = 0;
        for (int i = 0; i < 1000 && current != yielding; ++i) {
          policy.executed(views[current]);
          current = policy.pick({views, static_cast<int>(current), true});
        }
        ASSERT_EQ(current, yielding) << kPolicyNames[static_cast<std::size_t>(kind)] << " seed " << seed;
      }
    }
  }
}

// Who cannot go on is followed by any of the others, each with the same probability: of 3000 choices each has 1000 give
// or take 5 standard deviations of 26.
TEST(Preempt, AnyOrderIsUniformWhereNobodyGoesOn) {
  const std::vector<OperationView> views = views_of({0, 1, 2});
  Policy& policy = policy_for(PolicyKind::kPreempt);
  std::size_t times[3] = {};
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    policy.begin(policy_spec(PolicyKind::kPreempt, seed, kAnyOrder));
    for (int i = 0; i < 100; ++i) {
      ++times[policy.pick({views, -1, false})];
      EXPECT_EQ(policy.pick({views, 1, false}), 1u);  // goes on
    }
  }
  for (const std::size_t count : times) EXPECT_NEAR(static_cast<double>(count), 1000, 130);
}

TEST(Pos, ThreadsStartTogetherWhenAskedTo) {
  std::vector<OperationView> views = views_of({0, 1, 2});
  views[1].kind = views[2].kind = OpKind::kThreadStart;
  Policy& policy = policy_for(PolicyKind::kPos);
  for (const std::uint16_t depth : {kStartTogether, std::uint16_t{3}}) {
    std::set<std::size_t> creating;
    std::set<std::size_t> created;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      policy.begin(policy_spec(PolicyKind::kPos, seed, depth));
      views[0].kind = OpKind::kThreadCreate;
      creating.insert(policy.pick({views, 0, false}));
      policy.begin(policy_spec(PolicyKind::kPos, seed, depth));
      views[0].kind = OpKind::kAtomicLoad;
      created.insert(policy.pick({views, 0, false}));
    }
    EXPECT_EQ(creating.size(), depth == kStartTogether ? 1u : 3u);
    EXPECT_TRUE(creating.contains(0));
    EXPECT_EQ(created.size(), 3u);
  }
}

TEST(RunOn, SeedZeroGoesByIndex) {
  Policy& policy = policy_for(PolicyKind::kRunOn);
  policy.begin(policy_spec(PolicyKind::kRunOn, 0));
  const std::vector<OperationView> views = views_of({2, 5, 7});
  EXPECT_EQ(policy.pick({views, 1, false}), 1u);   // goes on
  EXPECT_EQ(policy.pick({views, -1, false}), 0u);  // cannot go on: the lowest
  EXPECT_EQ(policy.pick({views, 0, true}), 1u);    // yields: the next one
  EXPECT_EQ(policy.pick({views, 1, true}), 2u);
  EXPECT_EQ(policy.pick({views, 2, true}), 0u);  // all have yielded: the one that did so first
}

TEST(RunOn, SeedsGiveAllOrders) {
  const Program program{{{store(0, 1)}, {store(0, 2)}, {store(0, 3)}, {store(0, 4)}}, {}, {}};
  std::set<std::vector<std::uint32_t>> orders;
  for (std::uint64_t seed = 1; seed <= 400; ++seed)
    orders.insert(run(program, policy_spec(PolicyKind::kRunOn, seed)).schedule);
  EXPECT_EQ(orders.size(), 24u);
}

TEST(Preempt, RankNamesTheOthers) {
  const std::vector<OperationView> views = views_of({0, 1, 2});
  Policy& policy = policy_for(PolicyKind::kPreempt);
  PolicySpec spec = policy_spec(PolicyKind::kPreempt, 0);
  spec.switches = 3;
  spec.forced[0] = {1, 0};
  spec.forced[1] = {2, 1};
  spec.forced[2] = {3, 2};  // modulo two others: as rank 0
  policy.begin(spec);
  EXPECT_EQ(policy.pick({views, 1, false}), 1u);
  EXPECT_EQ(policy.pick({views, 1, false}), 0u);
  EXPECT_EQ(policy.pick({views, 1, false}), 2u);
  EXPECT_EQ(policy.pick({views, 1, false}), 0u);
  EXPECT_EQ(policy.pick({views, 1, false}), 1u);
}

TEST(Pct, ChangePointCountsStepsWithoutARival) {
  // The change point is at step 0, which T0 takes alone, before anybody else is there. It is set back all the same.
  const std::vector<OperationView> views = views_of({0, 1});
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Policy& policy = policy_for(PolicyKind::kPct);
    policy.begin(policy_spec(PolicyKind::kPct, seed, 2, 1));
    policy.executed(views[0]);
    EXPECT_EQ(policy.pick({views, 0, false}), 1u);
  }
}

TEST(Pct, HeapOperationsAreNoSteps) {
  const std::vector<OperationView> views = views_of({0, 1});
  OperationView allocation;
  allocation.kind = OpKind::kHeapAlloc;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Policy& policy = policy_for(PolicyKind::kPct);
    policy.begin(policy_spec(PolicyKind::kPct, seed, 1));
    const std::size_t top = policy.pick({views, -1, false});
    policy.begin(policy_spec(PolicyKind::kPct, seed, 2, 1));
    allocation.thread = views[1 - top].thread;
    policy.executed(allocation);  // must not use up the change point at step 0
    EXPECT_EQ(policy.pick({views, -1, false}), 1 - top);
  }
}

TEST(Pos, KeepsPrioritiesOfUnconcernedEvents) {
  // Whoever is first stays first as long as nothing dependent happens.
  std::vector<OperationView> views = views_of({0, 1, 2, 3});
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Policy& policy = policy_for(PolicyKind::kPos);
    policy.begin(policy_spec(PolicyKind::kPos, seed));
    OperationView elsewhere = views[0];
    elsewhere.kind = OpKind::kAtomicStore;
    elsewhere.thread = 9;
    policy.executed(elsewhere);  // concerns all of them, but only once
    const std::size_t top = policy.pick({views, -1, false});
    elsewhere.place = 4096;
    for (int i = 0; i < 10; ++i) policy.executed(elsewhere);
    EXPECT_EQ(policy.pick({views, -1, false}), top);
  }
}

TEST(ThreadTable, ForgetsAllAtOnce) {
  static ThreadTable<std::uint64_t> table;
  table.forget_all();
  EXPECT_EQ(table.find(3), nullptr);
  table.store(3, 42);
  EXPECT_EQ(*table.find(3), 42u);
  EXPECT_EQ(table.find(4), nullptr);
  table.forget_all();
  EXPECT_EQ(table.find(3), nullptr);
  table.store(kMaxThreads + 10, 1);  // beyond the limit, but not beyond the table
  EXPECT_NE(table.find(kMaxThreads - 1), nullptr);
}

}  // namespace
}  // namespace ravel::toy
