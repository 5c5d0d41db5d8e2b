// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The states that a guided search may come back to: which one is taken, which one goes when there are too many, the
// schedule of each, and what a killed step leaves behind.
#include "explore/backtrack_set.h"

#include <gtest/gtest.h>

#include <map>
#include <memory_resource>
#include <vector>

namespace ravel {
namespace {

class BacktrackSetTest : public testing::Test {
 protected:
  std::pmr::monotonic_buffer_resource memory;
  Journal journal{memory, 1u << 18};
  Random random{7};

  static BacktrackSet::State state(std::uint32_t level, std::uint32_t distance, std::uint32_t choice = 0) {
    return {BacktrackSet::kNone, 0, choice, level, distance};
  }
};

// Levels 0, 1 and 3 have states: each is drawn with 1/3, level 2 never.
TEST_F(BacktrackSetTest, ALevelIsDrawnAmongThoseThatHaveAny) {
  BacktrackSet set(memory, journal, 16);
  std::map<std::uint32_t, int> drawn;
  for (int i = 0; i < 3'000; ++i) {
    journal.begin();
    for (const std::uint32_t level : {0u, 1u, 3u}) ASSERT_TRUE(set.add(state(level, 5), random));
    BacktrackSet::State taken;
    ASSERT_TRUE(set.take(taken, random));
    ++drawn[taken.level];
    set.clear();
    journal.commit();
  }
  EXPECT_EQ(drawn.size(), 3u);
  for (const auto& [level, times] : drawn) EXPECT_GT(times, 600) << level;
}

TEST_F(BacktrackSetTest, OfALevelTheNearestIsTaken) {
  BacktrackSet set(memory, journal, 16);
  journal.begin();
  for (const std::uint32_t distance : {9u, 3u, 5000u, kFarAway})
    ASSERT_TRUE(set.add(state(2, distance, distance), random));
  BacktrackSet::State taken;
  ASSERT_TRUE(set.take(taken, random));
  EXPECT_EQ(taken.distance, 3u);
  ASSERT_TRUE(set.take(taken, random));
  EXPECT_EQ(taken.distance, 9u);
  ASSERT_TRUE(set.take(taken, random));
  ASSERT_TRUE(set.take(taken, random));
  EXPECT_FALSE(set.take(taken, random));
}

// Of 400 that are alike each quarter is taken a quarter of the time, whatever came last.
TEST_F(BacktrackSetTest, TiesOfALargeSetAreBrokenEvenly) {
  BacktrackSet set(memory, journal, 1'000);
  journal.begin();
  for (std::uint32_t i = 0; i < 400; ++i) ASSERT_TRUE(set.add(state(1, 3, i), random));
  for (std::uint32_t i = 0; i < 100; ++i) ASSERT_TRUE(set.add(state(1, 9, i), random));
  journal.commit();
  std::map<std::uint32_t, int> drawn;
  for (int i = 0; i < 8'000; ++i) {
    journal.begin();
    BacktrackSet::State taken;
    ASSERT_TRUE(set.take(taken, random));
    ASSERT_EQ(taken.distance, 3u);
    ++drawn[taken.choice / 100];
    ASSERT_TRUE(set.add(taken, random));
    journal.commit();
  }
  for (const auto& [quarter, times] : drawn) EXPECT_NEAR(times, 2'000, 250) << quarter;
}

TEST_F(BacktrackSetTest, WhatIsTooMuchIsTheLowestLevelWithTheLargestDistance) {
  BacktrackSet set(memory, journal, 10);
  journal.begin();
  for (std::uint32_t i = 0; i < 50; ++i) ASSERT_TRUE(set.add(state(i % 3, i), random));
  EXPECT_EQ(set.size(), 10u);
  EXPECT_EQ(set.most(), 10u);
  BacktrackSet::State taken;
  while (set.take(taken, random)) EXPECT_EQ(taken.level, 2u);
}

TEST_F(BacktrackSetTest, SchedulesAreRunsWithWhatTheyHaveInCommon) {
  BacktrackSet set(memory, journal, 10);
  journal.begin();
  const std::uint32_t first = set.add_run({BacktrackSet::kNone, 0, 4});
  const std::uint32_t second = set.add_run({first, 3, 5});
  std::vector<Segment> prefix(8);
  PlanSpec spec;
  PlanWriter plan{spec, prefix};
  ASSERT_TRUE(set.write(plan, {second, 2, 6, 0, 0}));  // 4 4 4 5 5 6
  ASSERT_EQ(spec.prefix_segments, 3u);
  EXPECT_EQ(prefix[0].thread, 4u);
  EXPECT_EQ(prefix[0].count, 3u);
  EXPECT_EQ(prefix[1].thread, 5u);
  EXPECT_EQ(prefix[1].count, 2u);
  EXPECT_EQ(prefix[2].thread, 6u);
  EXPECT_EQ(prefix[2].count, 1u);
}

TEST_F(BacktrackSetTest, AStepThatWasKilledIsUndone) {
  BacktrackSet set(memory, journal, 4);
  journal.begin();
  for (std::uint32_t i = 0; i < 4; ++i) ASSERT_TRUE(set.add(state(1, i, i), random));
  journal.commit();
  journal.begin();
  BacktrackSet::State taken;
  ASSERT_TRUE(set.take(taken, random));
  ASSERT_TRUE(set.add(state(3, 0, 9), random));
  ASSERT_TRUE(set.add(state(3, 1, 9), random));
  journal.recover(1);
  journal.begin();
  EXPECT_EQ(set.size(), 4u);
  for (std::uint32_t i = 0; i < 4; ++i) {
    ASSERT_TRUE(set.take(taken, random));
    EXPECT_EQ(taken.choice, i);
  }
}

}  // namespace
}  // namespace ravel
