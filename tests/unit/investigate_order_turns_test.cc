// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Turns that keep to given orders: each thread's own order kept, every order that another interleaving has kept,
// checked on random executions and orders; locks are followed, and signals wake whom the orders say.
#include "investigate/order_turns.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.h"

namespace ravel {
namespace {

Event event(ThreadIndex thread, OpKind kind = OpKind::kWrite, std::uint64_t value = 0) {
  Event e;
  e.thread = thread;
  e.kind = kind;
  e.value = value;
  return e;
}

// Indices of the events in the order of the turns.
std::vector<std::size_t> order_of(const std::vector<Event>& events, const std::vector<Segment>& turns) {
  std::vector<std::vector<std::size_t>> own(8);
  for (std::size_t i = 0; i < events.size(); ++i) own[events[i].thread].push_back(i);
  std::vector<std::size_t> done(8, 0);
  std::vector<std::size_t> order;
  for (const Segment& turn : turns) {
    while (done[turn.thread] < turn.count) order.push_back(own[turn.thread][done[turn.thread]++]);
  }
  return order;
}

std::vector<std::size_t> turned(const std::vector<Event>& events, const std::vector<WantedOrder>& orders) {
  return order_of(events, turns_for(events, orders).turns);
}
WantedOrder order(std::size_t first, std::size_t second, ValueRelation relation = ValueRelation::kBefore) {
  return {first, second, relation, kNoThread};
}

TEST(OrderTurns, OnlyWhatMustChanges) {
  const std::vector<Event> events = {event(1), event(1), event(2), event(2), event(1)};
  EXPECT_EQ(turned(events, {}), (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(turned(events, {order(2, 1)}), (std::vector<std::size_t>{0, 2, 1, 3, 4}));
  EXPECT_EQ(turned(events, {order(3, 0)}), (std::vector<std::size_t>{2, 3, 0, 1, 4}));
}

TEST(OrderTurns, AThreadBeginsBehindItsCreationAndIsJoinedBehindItsEnd) {
  const std::vector<Event> events = {event(0), event(0, OpKind::kThreadCreate, 1), event(1), event(0),
                                     event(1), event(0, OpKind::kThreadJoin, 1)};
  // What main does before the join is to come behind all of the thread.
  EXPECT_EQ(turned(events, {order(4, 3)}), (std::vector<std::size_t>{0, 1, 2, 4, 3, 5}));
  // Before its creation it cannot come.
  EXPECT_EQ(turned(events, {order(2, 0)}), (std::vector<std::size_t>{}));
}

// The execution does not have the first access: the second is held back, with all behind it.
TEST(OrderTurns, WhatWaitsForTheUnknownIsHeldBack) {
  const std::vector<Event> events = {event(1), event(1), event(2), event(1)};
  EXPECT_EQ(turned(events, {{std::nullopt, 1, ValueRelation::kBefore, kNoThread}}), (std::vector<std::size_t>{0, 2}));
}

// Whoever an order waits for goes on first, then the others; not the one that the order holds back.
TEST(OrderTurns, WhoIsHeldBackIsNotFree) {
  const std::vector<Event> events = {event(1), event(2), event(3), event(3)};
  WantedOrder wanted{std::nullopt, 0};
  wanted.opener = 2;
  const OrderTurns turns = turns_for(events, {wanted});
  EXPECT_EQ(order_of(events, turns.turns), (std::vector<std::size_t>{1, 2, 3}));
  EXPECT_EQ(turns.free, (std::vector<ThreadIndex>{2, 0, 3}));
}

// Main joins the thread that is held back: it may go on once it can.
TEST(OrderTurns, WhoWaitsForAnotherIsFree) {
  const std::vector<Event> events = {event(1), event(1), event(2), event(0, OpKind::kThreadJoin, 1)};
  WantedOrder wanted{std::nullopt, 1};
  wanted.opener = 2;
  const OrderTurns turns = turns_for(events, {wanted});
  EXPECT_EQ(order_of(events, turns.turns), (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(turns.free, (std::vector<ThreadIndex>{2, 0}));
}

TEST(OrderTurns, NothingComesBetween) {
  // 1 writes, 3 writes, 2 reads: the read is to see the write of 1.
  const std::vector<Event> events = {event(1), event(3), event(2, OpKind::kRead)};
  EXPECT_EQ(turned(events, {order(0, 2, ValueRelation::kDefines)}), (std::vector<std::size_t>{0, 2, 1}));
  EXPECT_EQ(turned(events, {order(0, 2)}), (std::vector<std::size_t>{0, 1, 2}));
}

// A wide read sees four bytes of the write; the other four are written in between.
TEST(OrderTurns, BytesThatOnlyOneTouchesAreNotBetween) {
  std::vector<Event> events = {event(1), event(2), event(2, OpKind::kRead)};
  events[0].size = events[1].size = 4;
  events[1].offset = 4;
  events[2].size = 8;
  EXPECT_EQ(turned(events, {order(0, 2, ValueRelation::kDefines)}), (std::vector<std::size_t>{0, 1, 2}));
  events[1].offset = 0;
  EXPECT_EQ(turned(events, {order(0, 2, ValueRelation::kDefines)}), (std::vector<std::size_t>{0}));
}

// 2's access is to come before 1's, both inside the lock: 2 enters first.
TEST(OrderTurns, WhoIsInsideComesBehindTheOneWhoMustEnter) {
  const std::vector<Event> events = {event(1, OpKind::kMutexLock), event(1), event(1, OpKind::kMutexUnlock),
                                     event(2, OpKind::kMutexLock), event(2), event(2, OpKind::kMutexUnlock)};
  std::vector<Event> apart = events;
  for (const std::size_t i : {1, 4}) apart[i].offset = 64;  // beside the lock
  EXPECT_EQ(turned(apart, {order(4, 1)}), (std::vector<std::size_t>{3, 4, 5, 0, 1, 2}));
}

TEST(OrderTurns, ASignalWakesWhomTheOrdersSay) {
  std::vector<Event> events;
  for (const ThreadIndex thread : {ThreadIndex{1}, ThreadIndex{2}}) {
    events.push_back(event(thread, OpKind::kMutexLock));
    events.push_back(event(thread, OpKind::kCondWait, 0));
    events.back().offset = 64;
  }
  events.push_back(event(3, OpKind::kCondSignal, 1));
  events.push_back(event(1, OpKind::kCondReacquire, 0));
  for (const std::size_t i : {4, 5}) events[i].offset = 64;
  const OrderTurns as_it_was = turns_for(events, {});
  EXPECT_EQ(order_of(events, as_it_was.turns), (std::vector<std::size_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(as_it_was.alternatives, (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(as_it_was.alternatives_before, 1u);
  const OrderTurns other = turns_for(events, {{4, std::nullopt, ValueRelation::kWakes, 2}});
  EXPECT_EQ(order_of(events, other.turns), (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(other.alternatives, (std::vector<std::uint32_t>{1}));
}

// Orders that some other interleaving has close no circle: all of them are kept.
TEST(OrderTurns, OrdersOfAnotherInterleavingAreKept) {
  Random random(7);
  for (int round = 0; round < 2'000; ++round) {
    std::vector<Event> events;
    for (int i = 0; i < 12; ++i) events.push_back(event(static_cast<ThreadIndex>(1 + random.below(3))));
    // The other interleaving: each thread's events in order, threads by chance.
    std::vector<Segment> other;
    std::vector<std::uint32_t> left(4, 0);
    for (const Event& e : events) ++left[e.thread];
    std::vector<std::uint32_t> done(4, 0);
    for (std::size_t i = 0; i < events.size();) {
      const auto thread = static_cast<std::uint32_t>(1 + random.below(3));
      if (done[thread] == left[thread]) continue;
      other.push_back({thread, ++done[thread]});
      ++i;
    }
    const std::vector<std::size_t> wanted = order_of(events, other);
    std::vector<WantedOrder> edges;
    for (int i = 0; i < 4; ++i) {
      const std::size_t a = random.below(events.size());
      const std::size_t b = a + random.below(events.size() - a);
      if (events[wanted[a]].thread != events[wanted[b]].thread) edges.push_back(order(wanted[a], wanted[b]));
    }
    const std::vector<std::size_t> taken = turned(events, edges);
    ASSERT_EQ(taken.size(), events.size());
    const auto at = [&](std::size_t e) { return std::find(taken.begin(), taken.end(), e) - taken.begin(); };
    for (const WantedOrder& edge : edges) EXPECT_LT(at(*edge.first), at(*edge.second)) << "round " << round;
  }
}

}  // namespace
}  // namespace ravel
