// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The wait-for graph of a free run: when it is a deadlock, and when it may still go on.
#include "driver/wait_for.h"

#include <gtest/gtest.h>

namespace ravel {
namespace {

ThreadWait waits(std::uint32_t thread, OpKind kind, std::uint32_t whom = kNoHolder, bool timed = false) {
  ThreadWait wait;
  wait.thread = thread;
  wait.kind = kind;
  wait.waits_for = whom;
  wait.timed = timed;
  return wait;
}

TEST(WaitFor, TwoLocksInTwoOrders) {
  WaitSnapshot now{{waits(0, OpKind::kNone), waits(1, OpKind::kMutexLock, 2), waits(2, OpKind::kMutexLock, 1)}, true};
  const auto stuck = find_deadlock(now);
  ASSERT_EQ(stuck.size(), 2u);  // main runs on, and is no part of it
  EXPECT_EQ(stuck[0].thread + stuck[1].thread, 3u);
}

TEST(WaitFor, AThreadThatWaitsForItselfIsStuck) {
  EXPECT_EQ(find_deadlock({{waits(0, OpKind::kMutexLock, 0), waits(1, OpKind::kNone)}, false}).size(), 1u);
}

TEST(WaitFor, AJoinIsPartOfACircle) {
  WaitSnapshot now{{waits(0, OpKind::kThreadJoin, 1), waits(1, OpKind::kMutexLock, 0), waits(2, OpKind::kNone)}, false};
  EXPECT_EQ(find_deadlock(now).size(), 2u);
}

TEST(WaitFor, AChainThatEndsAtARunningThreadGoesOn) {
  WaitSnapshot now{{waits(0, OpKind::kThreadJoin, 1), waits(1, OpKind::kMutexLock, 2), waits(2, OpKind::kNone)}, false};
  EXPECT_TRUE(find_deadlock(now).empty());
}

TEST(WaitFor, ATimedWaitBreaksTheCircle) {
  WaitSnapshot now{{waits(1, OpKind::kMutexLock, 2), waits(2, OpKind::kMutexLock, 1, true)}, false};
  EXPECT_TRUE(find_deadlock(now).empty());
}

TEST(WaitFor, EverybodyWaitsForASignal) {
  WaitSnapshot now{{waits(0, OpKind::kThreadJoin, 1), waits(1, OpKind::kCondWait)}, false};
  EXPECT_EQ(find_deadlock(now).size(), 2u);
  now.others = true;  // a handler of a signal may wake them
  EXPECT_TRUE(find_deadlock(now).empty());
  now = {{waits(0, OpKind::kThreadJoin, 1), waits(1, OpKind::kSleep, kNoHolder, true)}, false};
  EXPECT_TRUE(find_deadlock(now).empty());
}

TEST(WaitFor, NoThreadIsNoDeadlock) {
  EXPECT_TRUE(find_deadlock({}).empty());
}

}  // namespace
}  // namespace ravel
