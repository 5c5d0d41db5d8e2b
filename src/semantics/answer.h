// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Each family answers two questions about its state, with the very functions that the runtime calls:
//   ask(state, operation)    can the operation run now, and how would it come out?
//   apply(state, operation)  it ran, and came out as recorded: the state behind it. False: by these rules it could not
//                            have come out so; the state then follows what was recorded.
// Threads are any numbers that are different for different threads.
#pragma once

#include <cstdint>

#include "semantics/operation_view.h"
#include "semantics/sync_result.h"

namespace ravel {

struct Answer {
  bool enabled = true;
  bool fails = false;
  std::uint64_t value = 0;  // as Event::value, where the kind has one that dependence looks at
};

inline bool did_fail(const OperationView& op) {
  return (op.bits & kFailed) != 0;
}

// Of a call that does not wait, or that waited until it could go on.
inline Answer answer_of(SyncResult result) {
  return {true, result != SyncResult::kOk, 0};
}

}  // namespace ravel
