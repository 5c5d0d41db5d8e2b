// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Which GoalOperations an operation is: how the places of a guided or sliced search are distinguished.
#pragma once

#include <cstdint>

#include "model/guide.h"
#include "model/operation.h"

namespace ravel {

inline std::uint32_t operations_of(OpKind kind) {
  switch (kind) {
    case OpKind::kRead:
    case OpKind::kAtomicLoad:
      return kGoalReads;
    case OpKind::kWrite:
    case OpKind::kAtomicStore:
      return kGoalWrites;
    case OpKind::kAtomicRmw:
    case OpKind::kAtomicCas:
      return kGoalReads | kGoalWrites;
    case OpKind::kMutexLock:
    case OpKind::kMutexTryLock:
    case OpKind::kRwReadLock:
    case OpKind::kRwTryReadLock:
    case OpKind::kRwWriteLock:
    case OpKind::kRwTryWriteLock:
      return kGoalLocks;
    case OpKind::kMutexUnlock:
    case OpKind::kRwUnlock:
      return kGoalUnlocks;
    case OpKind::kCondWait:
    case OpKind::kCondReacquire:
    case OpKind::kSemWait:
    case OpKind::kFutexWait:
    case OpKind::kFutexResume:
      return kGoalWaits;
    case OpKind::kCondSignal:
    case OpKind::kCondBroadcast:
    case OpKind::kSemPost:
    case OpKind::kFutexWake:
      return kGoalNotifies;
    default:
      return kGoalOthers;
  }
}

}  // namespace ravel
