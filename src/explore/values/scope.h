// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Of which operations the rules of value schedules were shown to be exact: memory, mutexes, conditions, semaphores,
// barriers, one-time initialisation, and threads that main creates and joins before it ends. Where a program does
// anything else the search still runs, and calls its result incomplete, naming the first such operation: fail closed
// (docs/adr/0011).
#pragma once

#include <cstdint>

#include "explore/strategy.h"
#include "model/event.h"

namespace ravel::values {

class Scope {
 public:
  void begin() {
    outside_ = {};
    unjoined_ = 0;
  }
  // `operand`: TraceView::operands.
  void on_event(const Event& e, std::uint64_t operand) {
    if (outside_.kind == OpKind::kNone && (!holds(e, operand) || is_timed(e.kind, operand)))
      outside_ = {e.kind, e.location};
  }
  // The first operation that is not covered; kNone: there is none.
  [[nodiscard]] const Unmodelled& outside() const { return outside_; }

 private:
  // It waits for a limited time only: one that did not end there may end there elsewhere.
  static bool is_timed(OpKind kind, std::uint64_t operand) {
    switch (kind) {
      case OpKind::kMutexLock:
      case OpKind::kCondWait:
      case OpKind::kCondReacquire:
      case OpKind::kSemWait:
        return operand != kNoPoint && (operand & 1) != 0;
      default:
        return false;
    }
  }
  [[nodiscard]] bool holds(const Event& e, std::uint64_t operand) {
    const bool expired = (e.bits & (kTimeout | kSpurious)) != 0;
    switch (op_class(e.kind)) {
      case OpClass::kPlain:
      case OpClass::kAtomic:
        return true;
      case OpClass::kInternal:
        return e.kind != OpKind::kObserve || operand == kNoPoint;
      case OpClass::kLifecycle:
        return lifecycle_holds(e) && !expired && !e.failed();
      case OpClass::kSync:
        return sync_holds(e.kind) && !expired && !(e.kind == OpKind::kMutexLock && e.failed());
      default:
        return e.kind == OpKind::kYield || e.kind == OpKind::kMark || e.kind == OpKind::kChoice ||
               e.kind == OpKind::kHeapAlloc || e.kind == OpKind::kHeapFree;
    }
  }
  bool lifecycle_holds(const Event& e) {
    if (e.kind == OpKind::kThreadCreate) ++unjoined_;
    if (e.kind == OpKind::kThreadJoin) --unjoined_;
    if (e.kind == OpKind::kExit) return unjoined_ == 0;  // else threads may still run when the process ends
    return e.kind != OpKind::kThreadDetach && !(e.kind == OpKind::kThreadCreate && e.thread != 0);
  }

  static bool sync_holds(OpKind kind) {
    switch (kind) {
      case OpKind::kMutexInit:
      case OpKind::kMutexDestroy:
      case OpKind::kMutexLock:
      case OpKind::kMutexTryLock:
      case OpKind::kMutexUnlock:
      case OpKind::kCondInit:
      case OpKind::kCondDestroy:
      case OpKind::kCondWait:
      case OpKind::kCondReacquire:
      case OpKind::kCondSignal:
      case OpKind::kCondBroadcast:
      case OpKind::kSemInit:
      case OpKind::kSemDestroy:
      case OpKind::kSemWait:
      case OpKind::kSemTryWait:
      case OpKind::kSemPost:
      case OpKind::kSemValue:
      case OpKind::kOnceBegin:
      case OpKind::kOnceEnd:
      case OpKind::kOnceAbort:
      case OpKind::kBarrierInit:
      case OpKind::kBarrierDestroy:
      case OpKind::kBarrierArrive:
      case OpKind::kBarrierLeave:
      case OpKind::kWaitBegin:
        return true;
      default:
        return false;
    }
  }

  Unmodelled outside_;
  std::int64_t unjoined_ = 0;  // threads that were created and not joined
};

}  // namespace ravel::values
