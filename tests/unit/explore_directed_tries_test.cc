// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The queue of directed tries: what is tried, in which order, once each, and what a kill takes back.
#include "explore/directed_tries.h"

#include <gtest/gtest.h>

#include <memory_resource>
#include <vector>

namespace ravel::testing {
namespace {

using Places = std::vector<LocationId>;

struct Queue {
  std::pmr::monotonic_buffer_resource memory;
  DirectedTries tries{memory};
  DirectedTries::State state;

  std::vector<Places> run_all() {
    std::vector<Places> all;
    while (DirectedTries::has_next(state)) {
      PolicySpec policy;
      tries.fill(policy, state);
      EXPECT_EQ(policy.kind, PolicyKind::kPark);
      Places places;
      for (unsigned i = 0; i < kMaxParkPlaces && policy.park_at[i] != 0; ++i) places.push_back(policy.park_at[i]);
      all.push_back(places);
      DirectedTries::advance(state);
    }
    return all;
  }
};

TEST(DirectedTries, APairIsTriedInBothOrdersAndTogether) {
  Queue queue;
  EXPECT_FALSE(DirectedTries::has_next(queue.state));
  EXPECT_TRUE(queue.tries.add(queue.state, PlacePair{7, 9}, TryKind::kRace));
  EXPECT_TRUE(DirectedTries::is_urgent(queue.state));
  EXPECT_EQ(queue.run_all(), (std::vector<Places>{{7}, {9}, {7, 9}}));
}

TEST(DirectedTries, ACircleGathersFirst) {
  Queue queue;
  const LocationId circle[] = {1, 2, 3};
  EXPECT_TRUE(queue.tries.add(queue.state, circle, TryKind::kLockCircle));
  EXPECT_EQ(queue.run_all(), (std::vector<Places>{{1, 2, 3}, {1}, {2}, {3}}));
}

TEST(DirectedTries, TheSamePlacesAreTriedOnce) {
  Queue queue;
  EXPECT_TRUE(queue.tries.add(queue.state, PlacePair{1, 2}, TryKind::kRace));
  EXPECT_FALSE(queue.tries.add(queue.state, PlacePair{2, 1}, TryKind::kUseBeforeSet));
  EXPECT_FALSE(queue.tries.add(queue.state, PlacePair{1, 1}, TryKind::kRace));
  EXPECT_FALSE(queue.tries.add(queue.state, PlacePair{0, 0}, TryKind::kRace));
  EXPECT_TRUE(queue.tries.add(queue.state, PlacePair{2, 3}, TryKind::kAtomicity));
  EXPECT_EQ(queue.run_all(), (std::vector<Places>{{1}, {2}, {3}, {1, 2}, {2, 3}}));
  EXPECT_TRUE(queue.tries.contains(queue.state, 3));
  EXPECT_FALSE(queue.tries.contains(queue.state, 4));
}

TEST(DirectedTries, AKillTakesBackWhatWasNotCommitted) {
  Queue queue;
  queue.tries.add(queue.state, PlacePair{1, 2}, TryKind::kRace);
  const DirectedTries::State committed = queue.state;
  for (LocationId i = 10; i < 200; ++i) queue.tries.add(queue.state, PlacePair{i, i + 1}, TryKind::kRace);
  queue.state = committed;  // the worker died
  EXPECT_FALSE(queue.tries.contains(queue.state, 10));
  EXPECT_FALSE(queue.tries.add(queue.state, PlacePair{1, 2}, TryKind::kRace));
  EXPECT_TRUE(queue.tries.add(queue.state, PlacePair{50, 10}, TryKind::kRace));
  EXPECT_FALSE(queue.tries.add(queue.state, PlacePair{10, 50}, TryKind::kRace));
  EXPECT_EQ(queue.run_all(), (std::vector<Places>{{1}, {2}, {50}, {10}, {1, 2}, {50, 10}}));
}

TEST(DirectedTries, AFullListRefuses) {
  Queue queue;
  for (LocationId i = 1; i <= DirectedTries::kMostSeen; ++i) {
    EXPECT_TRUE(queue.tries.add(queue.state, PlacePair{i, i}, TryKind::kRace));
  }
  EXPECT_FALSE(queue.tries.add(queue.state, PlacePair{100'000, 0}, TryKind::kRace));
  EXPECT_EQ(queue.run_all().size(), DirectedTries::kMostSeen);
}

}  // namespace
}  // namespace ravel::testing
