// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Policy `guided' at single decisions: the two tiers, ties, observation, roles, states that were visited.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <set>
#include <vector>

#include "model/policy_depth.h"
#include "runtime/policy/policies.h"

namespace ravel {
namespace {

// Location n is place n; the distance from place n to entry k is what `near` says.
class GuidedPolicy : public testing::Test {
 protected:
  GuidedPolicy() : visited(std::make_unique<VisitedStates>()) {}

  ~GuidedPolicy() override { guided_policy().guide({}); }

  void add_entry(LocationId location, std::uint32_t role = 0, std::uint32_t operations = kGoalAny) {
    GoalEntry entry;
    entry.begin = static_cast<std::uint32_t>(locations.size());
    entry.end = entry.begin + 1;
    entry.role = role;
    entry.operations = operations;
    locations.push_back(location);
    entries.push_back(entry);
  }
  void add_place(LocationId location, std::vector<std::uint32_t> distance) {
    places.push_back({location, kFarAway, static_cast<std::uint32_t>(places.size()), kFarAway});
    distances.insert(distances.end(), distance.begin(), distance.end());
  }
  void begin(std::uint64_t seed = 1, std::uint16_t by = kByDistance) {
    GuideSeat seat;
    seat.guide = {entries, locations, places, distances};
    seat.guide.property = property;
    seat.image = image;
    if (seat_calls) seat.calls = called_at_20;
    seat.progress = &progress;
    seat.log = log;
    seat.visited = visited.get();
    seat.decisions = &decisions;
    PolicySpec spec;
    spec.kind = PolicyKind::kGuided;
    spec.seed = seed;
    spec.depth = by;
    guided_policy().guide(seat);
    guided_policy().begin(spec);
  }
  // Who runs, of threads 0, 1, ... with operations at these locations.
  std::size_t pick(const std::vector<LocationId>& at) {
    std::vector<OperationView> views;
    for (std::size_t i = 0; i < at.size(); ++i) views.push_back(operation(static_cast<ThreadIndex>(i), at[i]));
    return guided_policy().pick({views, -1, false});
  }
  static OperationView operation(ThreadIndex thread, LocationId location, OpKind kind = OpKind::kAtomicLoad) {
    OperationView view;
    view.kind = kind;
    view.thread = thread;
    view.place = 64 + 8 * thread;  // nobody else's
    view.size = 4;
    view.location = location;
    return view;
  }

  static std::uint32_t called_at_20(ThreadIndex, LocationId* out, std::uint32_t) {
    out[0] = 20;
    return 1;
  }

  std::vector<PropertyStep> property;
  const unsigned char* image = nullptr;
  bool seat_calls = false;
  std::vector<GoalEntry> entries;
  std::vector<LocationId> locations;
  std::vector<GuidePlace> places;
  std::vector<std::uint32_t> distances;
  RankedChoice log[64] = {};
  GuideProgress progress;
  std::unique_ptr<VisitedStates> visited;
  std::uint32_t decisions = 0;
};

TEST_F(GuidedPolicy, TheNextPlaceComesFirstWhateverIsNearer) {
  add_entry(10);
  add_place(5, {1, kFarAway});
  add_place(10, {9, kFarAway});
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    begin(seed);
    EXPECT_EQ(pick({5, 10}), 1u);
    EXPECT_EQ(log[0].level, 0u);
    EXPECT_EQ(log[1].level, 1u);
  }
}

TEST_F(GuidedPolicy, TheNearestComesNextInWhateverOrderTheyAre) {
  add_entry(99);
  add_place(5, {5, kFarAway});
  add_place(8, {8, kFarAway});
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    begin(seed);
    EXPECT_EQ(pick({5, 8}), 0u);
    begin(seed);
    EXPECT_EQ(pick({8, 5}), 1u);
  }
}

// Threads 0 and 1 are inside of virtual functions that were called at place 20, which leads to the target by another
// override (distance 1) and, behind the call, never (row 3). Their own places (5, 6) are far from it.
TEST_F(GuidedPolicy, AReceiverThatIsKnownTightensTheDistance) {
  add_entry(99);
  add_place(5, {kFarAway, kFarAway});
  add_place(6, {4, kFarAway});
  add_place(20, {1, kFarAway});
  distances.insert(distances.end(), {kFarAway, kFarAway});
  places[0].leaving = places[1].leaving = 0;
  places[2].return_row = 3;
  seat_calls = true;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    begin(seed);
    EXPECT_EQ(pick({5, 6}), 1u);
    EXPECT_EQ(log[0].distance, 4u);
  }
  // Without it both threads seem to be as near.
  places[2].return_row = places[2].row;
  std::size_t taken[2] = {};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    begin(seed);
    ++taken[pick({5, 6})];
    EXPECT_EQ(log[0].distance, 2u);
  }
  EXPECT_GT(taken[0], 0u);
  EXPECT_GT(taken[1], 0u);
}

TEST_F(GuidedPolicy, PropertiesRankStatesByValuesWhileAFailureCanBeReached) {
  add_place(5, {3});
  add_place(6, {kFarAway});
  std::int32_t sold = 2;
  property = {{PropertyOp::kConstant, 8, 5, 0}, {PropertyOp::kMemory, 4, 0, 0}, {PropertyOp::kLess, 0, 0, 0}};
  image = reinterpret_cast<const unsigned char*>(&sold);
  begin(1, kByProperty);
  (void)pick({5, 6});
  EXPECT_EQ(log[0].distance, 4u);
  EXPECT_EQ(log[1].distance, 4u);
  sold = 6;
  begin(1, kByProperty);
  (void)pick({5, 6});
  EXPECT_EQ(log[0].distance, 0u);
  begin(1, kByProperty);
  (void)pick({6, 6});  // too late
  EXPECT_EQ(log[0].distance, kFarthestProperty);
  std::set<std::size_t> taken;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    begin(seed, kByProperty);
    taken.insert(pick({5, 6}));
  }
  EXPECT_EQ(taken.size(), 2u);
}

TEST_F(GuidedPolicy, TiesAreBrokenByTheSeed) {
  add_entry(99);
  add_place(5, {3, kFarAway});
  std::map<std::size_t, int> taken;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    begin(seed);
    const std::size_t first = pick({5, 5, 5});
    begin(seed);
    EXPECT_EQ(pick({5, 5, 5}), first);
    ++taken[first];
  }
  // Each of three with 1/3: 200 expected, deviation below 12.
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(taken[i], 200, 60);
}

TEST_F(GuidedPolicy, APlaceIsObservedWhenItsOperationIsExecutedOrBlocked) {
  add_entry(10, 0, kGoalLocks);
  add_entry(11, 0, kGoalLocks);
  add_place(10, {0, 1, kFarAway});
  add_place(11, {kFarAway, 0, kFarAway});
  begin();
  guided_policy().executed(operation(0, 10, OpKind::kAtomicLoad));  // not a lock
  EXPECT_EQ(progress.level, 0u);
  guided_policy().executed(operation(0, 10, OpKind::kMutexLock));
  EXPECT_EQ(progress.level, 1u);
  guided_policy().blocked(operation(1, 11, OpKind::kMutexLock));
  EXPECT_EQ(progress.level, 2u);
}

TEST_F(GuidedPolicy, ABlockedOperationIsObservedOnce) {
  add_entry(10);
  add_entry(10);
  add_place(10, {0, 0, kFarAway});
  begin();
  guided_policy().blocked(operation(0, 10, OpKind::kMutexLock));
  guided_policy().blocked(operation(0, 10, OpKind::kMutexLock));
  EXPECT_EQ(progress.level, 1u);
  guided_policy().executed(operation(0, 10, OpKind::kMutexLock));
  EXPECT_EQ(progress.level, 1u);
  guided_policy().executed(operation(1, 10, OpKind::kMutexLock));
  EXPECT_EQ(progress.level, 2u);
}

TEST_F(GuidedPolicy, RolesAreThreads) {
  add_entry(10, 1);
  add_entry(11, 2);
  add_entry(12, 1);
  for (const LocationId place : {10u, 11u, 12u}) add_place(place, {0, 0, 0, kFarAway});
  begin();
  guided_policy().executed(operation(3, 10));
  guided_policy().executed(operation(3, 11));  // the same thread: not the other role
  EXPECT_EQ(progress.level, 1u);
  guided_policy().executed(operation(4, 11));
  EXPECT_EQ(progress.level, 2u);
  guided_policy().executed(operation(4, 12));
  EXPECT_EQ(progress.level, 2u);
  guided_policy().executed(operation(3, 12));
  EXPECT_EQ(progress.level, 3u);
}

TEST_F(GuidedPolicy, BehindTheSequenceAFailingPlaceIsTheTarget) {
  add_entry(10);
  add_place(5, {kFarAway, 7});
  add_place(6, {kFarAway, 2});
  add_place(10, {0, kFarAway});
  begin();
  guided_policy().executed(operation(0, 10));
  EXPECT_EQ(pick({5, 6}), 1u);
}

TEST_F(GuidedPolicy, StatesThatWereVisitedComeLast) {
  add_entry(99);
  add_place(5, {5, kFarAway});
  add_place(8, {8, kFarAway});
  begin();
  ASSERT_EQ(pick({5, 8}), 0u);
  visited->keys[visited->slot_of(log[0].state)] = log[0].state;
  begin();
  EXPECT_EQ(pick({5, 8}), 1u);
}

// Of four threads that are as near two lead to visited states: each of the others is drawn in half of the cases, 1 000
// of 2 000 with a standard deviation of 22. The fifth is farther: it is taken once all four were visited.
TEST_F(GuidedPolicy, EqualsThatWereNotVisitedAreDrawnEvenly) {
  add_entry(99);
  add_place(5, {7, kFarAway});
  add_place(8, {8, kFarAway});
  begin();
  (void)pick({5, 5, 5, 5, 8});
  const RankedChoice first[5] = {log[0], log[1], log[2], log[3], log[4]};
  const auto visit = [&](const RankedChoice& one) { visited->keys[visited->slot_of(one.state)] = one.state; };
  visit(first[0]);
  visit(first[2]);
  std::size_t taken[5] = {};
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    begin(seed);
    ++taken[pick({5, 5, 5, 5, 8})];
  }
  EXPECT_EQ(taken[0] + taken[2] + taken[4], 0u);
  EXPECT_NEAR(static_cast<double>(taken[1]), 1000.0, 110.0);
  visit(first[1]);
  visit(first[3]);
  begin();
  EXPECT_EQ(pick({5, 5, 5, 5, 8}), 4u);
  visit(first[4]);
  begin();
  EXPECT_LT(pick({5, 5, 5, 5, 8}), 4u);
}

// Two orders of operations on different memory are one state; on the same memory they are two.
TEST_F(GuidedPolicy, StatesAreOrdersOfDependentOperations) {
  add_entry(99);
  for (const bool same_memory : {false, true}) {
    std::set<std::uint64_t> states;
    for (const bool swapped : {false, true}) {
      begin();
      OperationView first = operation(0, 5, OpKind::kAtomicStore);
      OperationView second = operation(1, 6, OpKind::kAtomicStore);
      if (same_memory) second.place = first.place;
      if (swapped) std::swap(first, second);
      guided_policy().executed(first);
      guided_policy().executed(second);
      (void)pick({7, 7, 7});
      states.insert(log[2].state);
    }
    EXPECT_EQ(states.size(), same_memory ? 2u : 1u);
  }
}

TEST_F(GuidedPolicy, DataChoicesAreStatesOfTheirOwn) {
  add_entry(99);
  std::set<std::uint64_t> states;
  for (const std::uint32_t taken : {0u, 1u, 2u}) {
    begin();
    guided_policy().chose(0, taken);
    (void)pick({7, 7});
    states.insert(log[1].state);
  }
  EXPECT_EQ(states.size(), 3u);
}

// As the state is that it is made in: how much of the sequence was observed, and how far the next place is.
TEST_F(GuidedPolicy, ADataChoiceIsLoggedWithTheRankOfItsState) {
  add_entry(10);
  add_entry(99);
  add_place(5, {4, 8, kFarAway});
  add_place(10, {0, 6, kFarAway});
  begin();
  (void)pick({5, 5});
  decisions = 2;
  guided_policy().chose(1, 3);
  EXPECT_EQ(log[2].decision, 1u);
  EXPECT_EQ(log[2].choice, kDataChoice | 3u);
  EXPECT_EQ(log[2].level, 0u);
  EXPECT_EQ(log[2].distance, 4u);
  guided_policy().executed(operation(0, 10));
  (void)pick({10, 5});
  decisions = 4;
  guided_policy().chose(0, 1);
  EXPECT_EQ(log[5].decision, 3u);
  EXPECT_EQ(log[5].level, 1u);
  EXPECT_EQ(log[5].distance, 6u);
}

TEST_F(GuidedPolicy, ThePreferredThread) {
  add_entry(99);
  begin(1, kByPreferred);
  EXPECT_EQ(pick({5, 5, 5}), 0u);  // PolicySpec::length is 0
}

}  // namespace
}  // namespace ravel
