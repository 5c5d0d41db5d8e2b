// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Rows of the dependence table that the random programs do not reach (threads' lives, heap, exit, time), and that a
// pending operation, whose outcome is not known, gets the safe answer.
#include <gtest/gtest.h>

#include "semantics/dependence.h"

namespace ravel {
namespace {

OperationView op(OpKind kind, ThreadIndex thread, std::uint64_t place = 0, std::uint16_t size = 0,
                 std::uint64_t value = 0, std::uint8_t bits = 0) {
  return {kind, bits, size, thread, place, value, 0};
}

// Either way round.
bool orders(const OperationView& a, const OperationView& b) {
  EXPECT_EQ(dependent(a, b), dependent(b, a));
  return dependent(a, b);
}

TEST(Rows, OneThreadIsAlwaysInOrder) {
  for (int a = 0; a < static_cast<int>(OpKind::kCount); ++a) {
    for (int b = 0; b < static_cast<int>(OpKind::kCount); ++b) {
      EXPECT_TRUE(orders(op(static_cast<OpKind>(a), 1, 8), op(static_cast<OpKind>(b), 1, 800)));
    }
  }
}

TEST(Rows, SymmetricEverywhere) {
  for (int a = 0; a < static_cast<int>(OpKind::kCount); ++a) {
    for (int b = 0; b < static_cast<int>(OpKind::kCount); ++b) {
      for (const std::uint8_t bits : {std::uint8_t{0}, kFailed, kTimeout}) {
        for (const std::uint64_t value : {0u, 1u, 2u, 64u, kNoThread.number()}) {
          (void)orders(op(static_cast<OpKind>(a), 1, 64, 4, value, bits), op(static_cast<OpKind>(b), 2, 64, 4, 1));
        }
      }
    }
  }
}

TEST(Rows, LivesOfThreads) {
  const OperationView create = op(OpKind::kThreadCreate, 0, 0, 0, 2);
  const OperationView join = op(OpKind::kThreadJoin, 0, 0, 0, 2);
  EXPECT_TRUE(orders(create, op(OpKind::kThreadStart, 2)));
  EXPECT_FALSE(orders(create, op(OpKind::kThreadStart, 3)));
  EXPECT_TRUE(orders(join, op(OpKind::kThreadEnd, 2)));
  EXPECT_FALSE(orders(join, op(OpKind::kThreadEnd, 3)));
  EXPECT_FALSE(orders(create, op(OpKind::kThreadCreate, 1, 0, 0, 3)));
  EXPECT_TRUE(orders(join, op(OpKind::kThreadJoin, 1, 0, 0, 2)));
  EXPECT_TRUE(orders(join, op(OpKind::kThreadDetach, 1, 0, 0, 2)));
  EXPECT_FALSE(orders(op(OpKind::kThreadEnd, 2), op(OpKind::kThreadDetach, 0, 0, 0, 2)));
  // Starting and ending order no data.
  for (const OpKind kind : {OpKind::kThreadCreate, OpKind::kThreadStart, OpKind::kThreadEnd, OpKind::kThreadJoin}) {
    EXPECT_FALSE(orders(op(kind, 1), op(OpKind::kWrite, 2, 0, 8)));
    EXPECT_FALSE(orders(op(kind, 1), op(OpKind::kMutexLock, 2)));
  }
}

TEST(Rows, ExitOrdersAllAndTimeNothing) {
  for (int k = 0; k < static_cast<int>(OpKind::kCount); ++k) {
    const auto other = op(static_cast<OpKind>(k), 1, 64, 8, 7);  // a signal is for somebody else
    EXPECT_TRUE(orders(op(OpKind::kExit, 0), other));
    if (other.kind == OpKind::kExit) continue;
    for (const OpKind kind :
         {OpKind::kYield, OpKind::kSleep, OpKind::kWakeUp, OpKind::kChoice, OpKind::kFence, OpKind::kHeapAlloc}) {
      EXPECT_FALSE(orders(op(kind, 0, 64, 8), other));
    }
  }
}

TEST(Rows, ObservationsOfOneName) {
  const OperationView observation = op(OpKind::kObserve, 0, 0, 0, 7);
  EXPECT_TRUE(orders(observation, op(OpKind::kObserve, 1, 0, 0, 7)));
  EXPECT_FALSE(orders(observation, op(OpKind::kObserve, 1, 0, 0, 8)));
  EXPECT_TRUE(orders(observation, op(OpKind::kExit, 1)));
  for (const OpKind kind : {OpKind::kWrite, OpKind::kMutexLock, OpKind::kThreadEnd, OpKind::kMark}) {
    EXPECT_FALSE(orders(observation, op(kind, 1, 0, 8, 7)));
  }
  EXPECT_FALSE(orders(observation, op(OpKind::kHeapFree, 1, 0, 0, 64)));
}

TEST(Rows, FreeAgainstUse) {
  const OperationView free = op(OpKind::kHeapFree, 0, 1000, 0, 64);
  EXPECT_TRUE(orders(free, op(OpKind::kRead, 1, 1063, 1)));
  EXPECT_TRUE(orders(free, op(OpKind::kRead, 1, 998, 4)));
  EXPECT_FALSE(orders(free, op(OpKind::kWrite, 1, 1064, 8)));
  EXPECT_TRUE(orders(free, op(OpKind::kMutexLock, 1, 1040)));
  EXPECT_TRUE(orders(free, op(OpKind::kCondReacquire, 1, 5000, 0, 1040)));  // its mutex
  EXPECT_TRUE(orders(free, op(OpKind::kHeapFree, 1, 1000, 0, 64)));
  EXPECT_FALSE(orders(free, op(OpKind::kHeapFree, 1, 2000, 0, 64)));
  EXPECT_FALSE(orders(free, op(OpKind::kHeapAlloc, 1, 1000, 0, 64)));
  EXPECT_FALSE(orders(free, op(OpKind::kThreadEnd, 1, 1000)));
}

TEST(Rows, FutexWaitReadsItsWord) {
  const OperationView wait = op(OpKind::kFutexWait, 0, 64, 4);
  EXPECT_TRUE(orders(wait, op(OpKind::kAtomicStore, 1, 67, 1)));
  EXPECT_TRUE(orders(wait, op(OpKind::kWrite, 1, 60, 8)));
  EXPECT_FALSE(orders(wait, op(OpKind::kAtomicLoad, 1, 64, 4)));
  EXPECT_FALSE(orders(wait, op(OpKind::kAtomicStore, 1, 68, 4)));
  EXPECT_FALSE(orders(op(OpKind::kFutexWake, 0, 64, 4), op(OpKind::kAtomicStore, 1, 64, 4)));
}

TEST(Rows, Descriptors) {
  const OperationView read = op(OpKind::kIoRead, 0, 64);
  EXPECT_TRUE(orders(read, op(OpKind::kIoWrite, 1, 64)));
  EXPECT_TRUE(orders(read, op(OpKind::kIoRead, 1, 64)));  // who gets the bytes
  EXPECT_TRUE(orders(read, op(OpKind::kIoClose, 1, 64)));
  EXPECT_FALSE(orders(read, op(OpKind::kIoWrite, 1, 128)));
  // A wait on several descriptors has no place.
  EXPECT_TRUE(orders(read, op(OpKind::kIoWait, 1)));
  EXPECT_TRUE(orders(op(OpKind::kIoWait, 0), op(OpKind::kIoWait, 1)));
  EXPECT_FALSE(orders(op(OpKind::kIoRead, 0, 64, 0, 11, kFailed), op(OpKind::kIoRead, 1, 64, 0, 11, kFailed)));
  EXPECT_FALSE(orders(read, op(OpKind::kWrite, 1, 64, 8)));
}

TEST(Rows, SignalsReachWhateverTheirThreadDoesNext) {
  for (const OpKind kind : {OpKind::kSignalSend, OpKind::kCancel}) {
    const OperationView sent = op(kind, 0, 64, 10, 2);
    EXPECT_TRUE(orders(sent, op(OpKind::kRead, 2, 4000, 4)));
    EXPECT_TRUE(orders(sent, op(OpKind::kMutexLock, 2, 128)));
    EXPECT_FALSE(orders(sent, op(OpKind::kRead, 3, 4000, 4)));
  }
  EXPECT_TRUE(orders(op(OpKind::kSignalSend, 0, 64, 10, kNoThread), op(OpKind::kRead, 3, 4000, 4)));
  EXPECT_TRUE(orders(op(OpKind::kSignalWait, 1, 64), op(OpKind::kSignalHandle, 2, 64)));
}

TEST(Rows, OtherObjectsAndOtherFamiliesAreApart) {
  for (const OpKind kind : {OpKind::kMutexLock, OpKind::kRwWriteLock, OpKind::kSemWait, OpKind::kBarrierArrive,
                            OpKind::kFutexWake, OpKind::kCondSignal, OpKind::kOnceEnd}) {
    EXPECT_TRUE(orders(op(kind, 0, 64), op(kind, 1, 64)));
    EXPECT_FALSE(orders(op(kind, 0, 64), op(kind, 1, 128)));
  }
  EXPECT_FALSE(orders(op(OpKind::kMutexLock, 0, 64), op(OpKind::kSemPost, 1, 64)));
  // A wait counts on its mutex too, a signal does not.
  EXPECT_TRUE(orders(op(OpKind::kMutexLock, 0, 64), op(OpKind::kCondWait, 1, 128, 0, 64)));
  EXPECT_FALSE(orders(op(OpKind::kMutexLock, 0, 64), op(OpKind::kCondSignal, 1, 128, 0, 64)));
  EXPECT_TRUE(orders(op(OpKind::kCondWait, 0, 256, 0, 64), op(OpKind::kCondWait, 1, 128, 0, 64)));
}

// The outcome makes it independent; without one it must not be.
TEST(Rows, PendingOperationsGetTheSafeAnswer) {
  const auto pending = [](OpKind kind, ThreadIndex thread) { return op(kind, thread, 64, 4); };
  EXPECT_TRUE(orders(pending(OpKind::kAtomicCas, 0), pending(OpKind::kAtomicLoad, 1)));
  EXPECT_TRUE(orders(pending(OpKind::kMutexTryLock, 0), pending(OpKind::kMutexTryLock, 1)));
  EXPECT_TRUE(orders(pending(OpKind::kCondSignal, 0), pending(OpKind::kCondSignal, 1)));
  EXPECT_TRUE(orders(pending(OpKind::kRwUnlock, 0), pending(OpKind::kRwReadLock, 1)));
  EXPECT_TRUE(orders(pending(OpKind::kSemTryWait, 0), pending(OpKind::kSemTryWait, 1)));
  EXPECT_TRUE(orders(pending(OpKind::kBarrierArrive, 0), pending(OpKind::kBarrierLeave, 1)));
  EXPECT_TRUE(orders(pending(OpKind::kFutexWait, 0), pending(OpKind::kFutexWait, 1)));
  EXPECT_TRUE(orders(op(OpKind::kOnceBegin, 0, 64, 0, kOnceRuns), op(OpKind::kOnceBegin, 1, 64, 0, kOnceRuns)));
}

}  // namespace
}  // namespace ravel
