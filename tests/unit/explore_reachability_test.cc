// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Reachability testing: every sequence, none twice. Counts are those of the catalogue (Carver, Tai, and a prototype:
// P15 and so on).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/sequences.h"

namespace ravel::testing {
namespace {

using toy::lock;
using toy::on;
using toy::Program;
using toy::unlock;

void expect_count(const Program& program, std::size_t count, unsigned deadlocks = 0) {
  Sequences search("reachability", program);
  EXPECT_TRUE(search.complete()) << search.block->progress.strategy_note;
  EXPECT_EQ(search.seen.size(), count);
  EXPECT_EQ(search.twice, 0u);
  EXPECT_EQ(search.deadlocks, deadlocks);
  EXPECT_EQ(search.executions(), count);
  EXPECT_EQ(search.block->progress.sequences.load(), count) << "as the engine counts them";
}

Program threads(std::vector<std::vector<toy::Step>> lists) {
  Program program;
  program.threads = std::move(lists);
  return program;
}
std::vector<toy::Step> times(unsigned n, std::vector<toy::Step> steps) {
  std::vector<toy::Step> out;
  for (; n != 0; --n) out.insert(out.end(), steps.begin(), steps.end());
  return out;
}

// P15: (NM)! / (M!)^N.
TEST(Reachability, OneMutex) {
  const std::vector<toy::Step> once = {lock(0), unlock(0)};
  expect_count(threads({once, once}), 2);
  expect_count(threads({once, once, once}), 6);
  expect_count(threads({once, once, once, once}), 24);
  expect_count(threads({times(2, once), times(2, once)}), 6);
  expect_count(threads({times(3, once), times(3, once)}), 20);
  expect_count(threads({times(2, once), times(2, once), times(2, once)}), 90);
}

// Labels order nothing, and nobody has to reason about them.
TEST(Reachability, Labels) {
  const std::vector<toy::Step> once = {on(OpKind::kMark, 0), lock(0), on(OpKind::kMark, 0), unlock(0)};
  expect_count(threads({once, once, once}), 6);
}

// P16 to P19.
TEST(Reachability, SeveralMutexes) {
  const std::vector<toy::Step> a = {lock(0), unlock(0)};
  const std::vector<toy::Step> b = {lock(1), unlock(1)};
  expect_count(threads({a, a, b, b}), 4);
  const auto both = [](std::uint32_t first, std::uint32_t second) {
    return std::vector<toy::Step>{lock(first), lock(second), unlock(second), unlock(first)};
  };
  expect_count(threads({both(0, 1), both(1, 0)}), 3, 1);
  expect_count(threads({both(0, 1), both(1, 2), both(2, 0)}), 7, 1);
  expect_count(threads({both(0, 1), both(1, 2), both(2, 3), both(3, 0)}), 15, 1);
  expect_count(threads({both(0, 1), both(1, 2), both(2, 3), both(3, 4), both(4, 0)}), 31, 1);
  expect_count(threads({both(0, 1), both(1, 2), both(0, 2)}), 6);
}

// P25 and P31.
TEST(Reachability, Semaphores) {
  const std::vector<toy::Step> wait = {on(OpKind::kSemWait, 0)};
  const std::vector<toy::Step> post = {on(OpKind::kSemPost, 0)};
  const std::vector<toy::Step> both = {on(OpKind::kSemWait, 0), on(OpKind::kSemPost, 0)};
  Program one = threads({post, wait});
  expect_count(one, 1);
  one.semaphores[0] = 1;
  expect_count(one, 2);
  expect_count(threads({post, post, times(2, wait)}), 4);
  Program permits = threads({both, both});
  permits.semaphores[0] = 1;
  expect_count(permits, 2);
  permits.semaphores[0] = 2;
  expect_count(permits, 6);
}

// P32: a wait without a predicate.
TEST(Reachability, LostWakeup) {
  toy::Step wait = on(OpKind::kCondWait, 0, 0);
  expect_count(threads({{lock(0), wait, unlock(0)}, {lock(0), on(OpKind::kCondSignal, 0), unlock(0)}}), 2, 1);
}

// A place that is left for any new call goes when the event before it on its object changes: the object may then have
// nothing new to receive there, and the old call that it could receive was held back (one of the 7 was missed).
TEST(Reachability, APlaceGoesWithTheEventBeforeIt) {
  const toy::Step wait = on(OpKind::kSemWait, 0);
  const Program program = threads({{on(OpKind::kSemPost, 0), lock(0), wait, on(OpKind::kCondSignal, 0), unlock(0)},
                                   {lock(1), unlock(1), lock(0), on(OpKind::kCondWait, 0, 0), unlock(0)},
                                   {lock(1), wait, on(OpKind::kCondWait, 1, 1), unlock(1)}});
  expect_count(program, 7, 7);
  EXPECT_EQ(Sequences("dfs", program).seen, Sequences("reachability", program).seen);
}

// An unlock by a thread that has not locked the mutex completes before and behind the wait that gives the mutex back,
// which the order of the mutex does not show (3 of the 48 sequences were missed).
TEST(Reachability, AnUnlockThatFailsBesideAWaitIsIncomplete) {
  const std::vector<toy::Step> waits = {lock(0), on(OpKind::kCondWait, 0, 0), unlock(0)};
  const std::vector<toy::Step> misuses = {on(OpKind::kCondWait, 0, 0), unlock(0)};
  std::vector<toy::Step> signals = {on(OpKind::kCondSignal, 0)};
  signals.insert(signals.end(), waits.begin(), waits.end());
  Sequences search("reachability", threads({signals, misuses, waits}));
  EXPECT_FALSE(search.complete());
  EXPECT_NE(std::string(search.block->progress.strategy_note).find("use dpor"), std::string::npos);
  // Where nobody waits, it is an event like any other.
  const Program correct = threads({{unlock(0)}, {lock(0), unlock(0)}, {lock(0), unlock(0)}});
  EXPECT_EQ(Sequences("dfs", correct).seen, Sequences("reachability", correct).seen);
  EXPECT_TRUE(Sequences("reachability", correct).complete());
}

// P4: a server of two slots, one producer and one consumer of three items; all that it can be open to, in order.
TEST(Reachability, Rendezvous) {
  const auto round = [](std::uint32_t ports) {
    toy::Step open = on(OpKind::kOpen, 0);
    open.value = ports;
    return std::vector<toy::Step>{open, on(OpKind::kAccept, 0)};
  };
  const auto calls = [](std::uint32_t port, unsigned n) { return times(n, {on(OpKind::kMeet, 0, port)}); };
  expect_count(threads({times(2, round(3)), calls(0, 1), calls(1, 1)}), 2);
  expect_count(threads({times(4, round(3)), calls(0, 2), calls(1, 2)}), 6);
  expect_count(threads({times(2, round(1)), calls(0, 1), calls(0, 1), calls(1, 1)}), 2, 2);
  // Two that each receive before they send to the other.
  toy::Step open = on(OpKind::kOpen, 1);
  open.value = 1;
  std::vector<toy::Step> first = round(1);
  first.push_back(on(OpKind::kMeet, 1, 0));
  expect_count(threads({first, {open, on(OpKind::kAccept, 1), on(OpKind::kMeet, 0, 0)}}), 1, 1);
}

// P21 and P43.
TEST(Reachability, Queues) {
  const std::vector<toy::Step> put = {on(OpKind::kPut, 0)};
  const std::vector<toy::Step> take = {on(OpKind::kTake, 0)};
  expect_count(threads({put, put, times(2, take)}), 2);
  expect_count(threads({times(2, put), times(2, put), times(4, take)}), 6);
  expect_count(threads({times(2, put), times(2, put), times(2, put), times(6, take)}), 90);
  expect_count(
      threads(
          {{on(OpKind::kPut, 0), on(OpKind::kPut, 1)}, {on(OpKind::kTake, 1), on(OpKind::kPut, 0)}, times(2, take)}),
      1);
  expect_count(threads({put, {on(OpKind::kTryTake, 0)}}), 2);
}

// P21 to P23, P30 and P43, by network (FIFO for each sender) and unordered.
TEST(Reachability, Parcels) {
  const auto cast = [](std::uint32_t to, std::uint16_t rules) { return on(OpKind::kCast, to, rules); };
  const auto get = [](std::uint32_t from, std::uint16_t rules) { return on(OpKind::kDeliver, from, rules); };
  struct Row {
    std::uint16_t rules;
    std::size_t two_of_two, causal, figure;
  };
  for (const Row& row : {Row{kInOrder, 6, 2, 60}, Row{0, 24, 2, 600}}) {
    const std::vector<toy::Step> send = {cast(0, row.rules)};
    const std::vector<toy::Step> receive = {get(0, row.rules)};
    expect_count(threads({send, send, times(2, receive)}), 2);
    expect_count(threads({send, send, send, times(3, receive)}), 6);
    expect_count(threads({times(2, send), times(2, send), times(4, receive)}), row.two_of_two);
    // A message that causes another one may arrive behind it.
    expect_count(
        threads({{cast(0, row.rules), cast(1, row.rules)}, {get(1, row.rules), cast(0, row.rules)}, times(2, receive)}),
        row.causal);
    // One that is never received could have been.
    expect_count(threads({send, send, receive}), 2);
    // Figure 7.24.
    std::vector<toy::Step> second = {get(0, row.rules), cast(1, row.rules)};
    const std::vector<toy::Step> rest = times(4, receive);
    second.insert(second.end(), rest.begin(), rest.end());
    expect_count(threads({times(3, send), second, {cast(0, row.rules), get(1, row.rules), cast(0, row.rules)}, send}),
                 row.figure);
  }
  // What waits for a message that never comes.
  expect_count(threads({{cast(0, 0)}, {get(0, 0), get(0, 0)}}), 1, 1);
}

// Three arrivals at a latch and one that waits; a phase that is looked at.
TEST(Reachability, Phases) {
  const std::vector<toy::Step> arrive = {on(OpKind::kPhaseArrive, 0)};
  const std::vector<toy::Step> wait = {on(OpKind::kPhaseWait, 0)};
  Program latch = threads({arrive, arrive, arrive, wait});
  latch.phases = {3, 0};
  expect_count(latch, 6);
  Program looks = threads({arrive, {on(OpKind::kPhaseTest, 0)}});
  looks.phases = {1, 0};
  expect_count(looks, 2);
}

}  // namespace
}  // namespace ravel::testing
