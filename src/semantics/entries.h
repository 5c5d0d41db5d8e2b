// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What is entered and left: locks of all sorts and one-time initialisation. A condition wait leaves its mutex and
// enters it again.
#pragma once

#include <cstdint>

#include "semantics/once.h"
#include "semantics/operation_view.h"

namespace ravel {

inline constexpr bool enters(OpKind kind) {
  switch (kind) {
    case OpKind::kMutexLock:
    case OpKind::kMutexTryLock:
    case OpKind::kCondReacquire:
    case OpKind::kRwReadLock:
    case OpKind::kRwTryReadLock:
    case OpKind::kRwWriteLock:
    case OpKind::kRwTryWriteLock:
    case OpKind::kOnceBegin:
      return true;
    default:
      return false;
  }
}

inline constexpr bool leaves(OpKind kind) {
  switch (kind) {
    case OpKind::kMutexUnlock:
    case OpKind::kCondWait:
    case OpKind::kRwUnlock:
    case OpKind::kOnceEnd:
    case OpKind::kOnceAbort:
      return true;
    default:
      return false;
  }
}

// What an operation enters or leaves.
inline std::uint64_t entered_place(const OperationView& op) {
  return op.kind == OpKind::kCondWait || op.kind == OpKind::kCondReacquire ? op.value : op.place;
}

// Of one that was executed.
inline bool has_entered(const OperationView& op) {
  const bool found_done = op.kind == OpKind::kOnceBegin && op.value == kOnceDone;
  return enters(op.kind) && (op.bits & kFailed) == 0 && !found_done;
}

// How often a thread is inside `place`, after one more operation of it: an entry while it is inside is an entry again.
inline std::uint32_t inside_after(std::uint32_t inside, std::uint64_t place, const OperationView& op) {
  if (inside == 0 || entered_place(op) != place) return inside;
  if (leaves(op.kind)) return inside - 1;
  return op.kind == OpKind::kMutexLock ? inside + 1 : inside;
}

}  // namespace ravel
