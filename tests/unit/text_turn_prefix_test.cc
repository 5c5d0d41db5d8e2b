// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include <gtest/gtest.h>

#include <vector>

#include "model/turn_prefix.h"

namespace ravel {
namespace {

// Threads 0 to 3 with as many events as each has to do; who runs, one event at a time. What nobody has a turn for is
// done by the first that can.
std::vector<ThreadIndex> order(const std::vector<Segment>& prefix, std::vector<std::uint32_t> to_do,
                               ThreadIndex blocked_at_first = kNoThread) {
  TurnPrefix turns;
  turns.begin(prefix.data(), static_cast<std::uint32_t>(prefix.size()));
  std::vector<std::uint32_t> done(to_do.size());
  std::vector<ThreadIndex> out;
  const auto can_run = [&](ThreadIndex thread) {
    if (thread == blocked_at_first && out.size() < 2) return false;
    return thread < to_do.size() && done[thread] < to_do[thread];
  };
  for (;;) {
    ThreadIndex next = turns.wish([&](ThreadIndex thread) { return done[thread]; }, can_run);
    for (ThreadIndex thread = 0; next == kNoThread && thread < to_do.size(); ++thread) {
      if (can_run(thread)) next = thread;
    }
    if (next == kNoThread) return out;
    ++done[next];
    out.push_back(next);
  }
}

using Order = std::vector<ThreadIndex>;

TEST(TurnPrefix, ATurnEndsWhenItsThreadHasDoneSoMuch) {
  EXPECT_EQ(order({{1, 2}, {0, 1}, {1, 3}}, {2, 3}), (Order{1, 1, 0, 1, 0}));
}

TEST(TurnPrefix, WhatIsLeftOutIsDoneInTheNextTurn) {
  EXPECT_EQ(order({{0, 1}, {1, 3}}, {2, 3}), (Order{0, 1, 1, 1, 0}));
  EXPECT_EQ(order({{1, 3}}, {2, 3}), (Order{1, 1, 1, 0, 0}));
}

TEST(TurnPrefix, AThreadThatCannotRunIsPassedOverAndComesBack) {
  EXPECT_EQ(order({{1, 2}, {0, 1}, {2, 1}}, {2, 2, 1}, 1), (Order{0, 2, 1, 1, 0}));
}

TEST(TurnPrefix, DataComesFirstAndInOrder) {
  const std::vector<Segment> prefix = {{kDataChoice | 1, 1}, {kDataChoice | 7, 1}, {0, 1}};
  TurnPrefix turns;
  turns.begin(prefix.data(), 3);
  std::uint32_t taken = 9;
  EXPECT_TRUE(turns.next_data(2, taken));
  EXPECT_EQ(taken, 1u);
  EXPECT_FALSE(turns.next_data(3, taken)) << "there are only three";
  EXPECT_FALSE(turns.next_data(8, taken)) << "used up";
  EXPECT_FALSE(turns.used_up());
  const auto done = [](ThreadIndex) { return 1u; };
  const auto can_run = [](ThreadIndex) { return true; };
  EXPECT_EQ(turns.wish(done, can_run), kNoThread);
  EXPECT_TRUE(turns.used_up());
}

}  // namespace
}  // namespace ravel
