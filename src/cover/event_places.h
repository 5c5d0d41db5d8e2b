// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Which events have a place: accesses, atomics, fences, synchronisation, creation and joining of threads. Not the start
// and end of threads and objects, and not the runtime's own remarks.
#pragma once

#include "model/event.h"

namespace ravel {

inline bool is_placed(OpKind kind) {
  switch (kind) {
    case OpKind::kThreadCreate:
    case OpKind::kThreadJoin:
      return true;
    case OpKind::kMutexInit:
    case OpKind::kMutexDestroy:
    case OpKind::kCondInit:
    case OpKind::kCondDestroy:
    case OpKind::kRwInit:
    case OpKind::kRwDestroy:
    case OpKind::kSemInit:
    case OpKind::kSemDestroy:
    case OpKind::kBarrierInit:
    case OpKind::kBarrierDestroy:
    case OpKind::kWaitBegin:
      return false;
    default:
      return op_class(kind) == OpClass::kPlain || op_class(kind) == OpClass::kAtomic ||
             op_class(kind) == OpClass::kSync;
  }
}

}  // namespace ravel
