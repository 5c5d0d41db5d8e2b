// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Who waits for whom, by kind: for the detectors that explain why a thread stands still.
#pragma once

#include "model/operation.h"

namespace ravel {

// Waits until a lock is free.
inline constexpr bool waits_for_lock(OpKind kind) {
  return kind == OpKind::kMutexLock || kind == OpKind::kRwReadLock || kind == OpKind::kRwWriteLock;
}

// Waits until another thread does something for it, once: an operation of which wakes() is true.
inline constexpr bool waits_for_wake(OpKind kind) {
  return kind == OpKind::kCondReacquire || kind == OpKind::kSemWait || kind == OpKind::kFutexResume;
}
inline constexpr bool wakes(OpKind kind) {
  return kind == OpKind::kCondSignal || kind == OpKind::kCondBroadcast || kind == OpKind::kSemPost ||
         kind == OpKind::kFutexWake || kind == OpKind::kFutexRequeue;
}

}  // namespace ravel
