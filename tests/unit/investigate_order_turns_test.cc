// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Turns that keep to given orders: every event once, each thread's own order kept, every order that closes no circle
// kept; checked on random executions and orders.
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

TEST(OrderTurns, OnlyWhatMustChanges) {
  const std::vector<Event> events = {event(1), event(1), event(2), event(2), event(1)};
  EXPECT_EQ(order_of(events, turns_for(events, {})), (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(order_of(events, turns_for(events, {{2, 1}})), (std::vector<std::size_t>{0, 2, 1, 3, 4}));
  EXPECT_EQ(order_of(events, turns_for(events, {{3, 0}})), (std::vector<std::size_t>{2, 3, 0, 1, 4}));
}

TEST(OrderTurns, AThreadBeginsBehindItsCreationAndIsJoinedBehindItsEnd) {
  const std::vector<Event> events = {event(0), event(0, OpKind::kThreadCreate, 1), event(1), event(0),
                                     event(1), event(0, OpKind::kThreadJoin, 1)};
  // What main does before the join is to come behind all of the thread.
  EXPECT_EQ(order_of(events, turns_for(events, {{4, 3}})), (std::vector<std::size_t>{0, 1, 2, 4, 3, 5}));
  // Before its creation it can only be wished for: who has a later turn runs until it is there.
  EXPECT_EQ(order_of(events, turns_for(events, {{2, 0}})), (std::vector<std::size_t>{2, 0, 1, 3, 4, 5}));
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
    std::vector<EventEdge> edges;
    for (int i = 0; i < 4; ++i) {
      const std::size_t a = random.below(events.size());
      const std::size_t b = a + random.below(events.size() - a);
      if (events[wanted[a]].thread != events[wanted[b]].thread) edges.push_back({wanted[a], wanted[b]});
    }
    const std::vector<std::size_t> order = order_of(events, turns_for(events, edges));
    ASSERT_EQ(order.size(), events.size());
    const auto at = [&](std::size_t e) { return std::find(order.begin(), order.end(), e) - order.begin(); };
    for (const EventEdge& edge : edges) EXPECT_LT(at(edge.first), at(edge.second)) << "round " << round;
  }
}

}  // namespace
}  // namespace ravel
