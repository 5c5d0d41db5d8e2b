// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// An operation as it looks before it is executed: without its outcome. Who compares operations while the program runs
// and who does so afterwards must see the same.
#pragma once

#include "semantics/dependence.h"
#include "semantics/once.h"
#include "semantics/operation_view.h"

namespace ravel {

inline OperationView as_pending(OperationView operation) {
  operation.bits &= kOrderMask;
  switch (operation.kind) {
    case OpKind::kCondWait:
    case OpKind::kCondReacquire:
    case OpKind::kThreadCreate:
    case OpKind::kThreadJoin:
    case OpKind::kThreadDetach:
    case OpKind::kSignalSend:
    case OpKind::kCancel:
    case OpKind::kPhaseWait:
    case OpKind::kPhaseTest:
    case OpKind::kEnlist:
      break;
    case OpKind::kOnceBegin:
      operation.value = kOnceRuns;
      break;
    default:
      operation.value = 0;
  }
  return operation;
}

// Whether two operations that are pending may turn out to be dependent. Whom a signal wakes is not known yet.
inline bool may_depend(const OperationView& a, const OperationView& b) {
  const auto wakes = [](const OperationView& x, const OperationView& y) {
    return x.kind == OpKind::kCondSignal && y.kind == OpKind::kCondReacquire && x.place == y.place;
  };
  return wakes(a, b) || wakes(b, a) || dependent(as_pending(a), as_pending(b));
}

}  // namespace ravel
