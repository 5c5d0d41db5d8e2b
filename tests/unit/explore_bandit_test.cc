// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Turns by shares and rewards, and the set that grows behind a count.
#include "explore/bandit.h"

#include <gtest/gtest.h>

#include <memory_resource>
#include <vector>

#include "base/counted_set.h"

namespace ravel::testing {
namespace {

// Turns of each arm when arm i brings rewards[i] for each point.
std::vector<unsigned> play(std::vector<std::uint32_t> shares, std::vector<std::uint64_t> rewards, unsigned turns) {
  Bandit bandit;
  std::vector<unsigned> had(shares.size());
  for (unsigned i = 0; i < turns; ++i) {
    const std::size_t arm = bandit.next(shares);
    ++had[arm];
    bandit.played(arm, shares, rewards[arm] * 9, 9);
  }
  return had;
}

TEST(Bandit, SharesAreKeptExactlyWhereAllBringTheSame) {
  EXPECT_EQ(play({5, 2, 1}, {1, 1, 1}, 800), (std::vector<unsigned>{500, 200, 100}));
  EXPECT_EQ(play({5, 2, 1}, {0, 0, 0}, 800), (std::vector<unsigned>{500, 200, 100}));
}

TEST(Bandit, TurnsAreSpread) {
  // With a share of 1/4 an arm never waits for more than four turns.
  Bandit bandit;
  const std::uint32_t shares[] = {3, 1};
  unsigned waits = 0;
  for (unsigned i = 0; i < 100; ++i) {
    const std::size_t arm = bandit.next(shares);
    waits = arm == 1 ? 0 : waits + 1;
    EXPECT_LE(waits, 4u);
    bandit.played(arm, shares, 1, 10);
  }
}

TEST(Bandit, TheBestHasFourTimesTheShareOfTheWorst) {
  const std::vector<unsigned> had = play({1, 1}, {1, 0}, 5'000);
  EXPECT_NEAR(had[0], 4'000, 40);
  EXPECT_NEAR(had[1], 1'000, 40);
}

TEST(Bandit, WhatWasLongAgoIsForgotten) {
  Bandit bandit;
  const std::uint32_t shares[] = {1, 1};
  for (unsigned i = 0; i < 1'000; ++i) bandit.played(0, shares, 100, 100);
  for (unsigned i = 0; i < 1'000; ++i) bandit.played(1, shares, 1, 100);
  // Now the second brings everything: after 64 Ki points, and as many again, it is ahead.
  for (unsigned i = 0; i < 20'000; ++i) {
    const std::size_t arm = bandit.next(shares);
    bandit.played(arm, shares, arm == 1 ? 100 : 0, 100);
  }
  unsigned second = 0;
  for (unsigned i = 0; i < 100; ++i) {
    const std::size_t arm = bandit.next(shares);
    second += arm == 1;
    bandit.played(arm, shares, arm == 1 ? 100 : 0, 100);
  }
  EXPECT_GE(second, 75u);
}

TEST(Bandit, WhoHasNoShareHasNoTurn) {
  EXPECT_EQ(play({0, 3, 0, 1}, {9, 1, 9, 1}, 40), (std::vector<unsigned>{0, 30, 0, 10}));
}

TEST(CountedSet, KeepsWhatIsBeforeTheCount) {
  std::pmr::monotonic_buffer_resource memory;
  CountedSet<std::uint64_t> set(memory, 64);
  std::uint32_t count = 0;
  for (std::uint64_t i = 0; i < 20; ++i) EXPECT_TRUE(set.add(count, i * 977));
  for (std::uint64_t i = 0; i < 20; ++i) EXPECT_FALSE(set.add(count, i * 977));
  const std::uint32_t committed = count;
  for (std::uint64_t i = 20; i < 40; ++i) EXPECT_TRUE(set.add(count, i * 977));
  count = committed;  // taken back
  for (std::uint64_t i = 39; i >= 20; --i) EXPECT_TRUE(set.add(count, i * 977));
  for (std::uint64_t i = 0; i < 40; ++i) EXPECT_FALSE(set.add(count, i * 977));
  EXPECT_EQ(count, 40u);
  EXPECT_EQ(set[20], 39u * 977);
  for (std::uint64_t i = 40; i < 64; ++i) EXPECT_TRUE(set.add(count, i * 977));
  EXPECT_FALSE(set.add(count, 1));
}

}  // namespace
}  // namespace ravel::testing
