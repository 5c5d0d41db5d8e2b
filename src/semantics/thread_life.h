// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The life of a thread: created, started, ended, and joined by one that waits for its end or only tries.
#pragma once

#include <cstdint>

#include "semantics/answer.h"

namespace ravel {

// The order bits of kThreadJoin.
inline constexpr std::uint8_t kJoinWaits = 0;
inline constexpr std::uint8_t kJoinTries = 1;  // pthread_tryjoin_np: fails while the thread has not ended

struct ThreadLife {
  ThreadIndex thread;
  bool created = false;
  bool ended = false;
};

inline constexpr bool can_join(std::uint8_t how, bool ended) {
  return how == kJoinTries || ended;
}

// Of the start of the thread, and of a join of it by another.
inline Answer ask(const ThreadLife& life, const OperationView& op) {
  switch (op.kind) {
    case OpKind::kThreadStart:
      return {life.created};
    case OpKind::kThreadJoin:
      return {can_join(op.bits & kOrderMask, life.ended), !life.ended};
    default:
      return {};
  }
}
inline bool apply(ThreadLife& life, const OperationView& op) {
  const auto sets = [](bool& what) {
    const bool first = !what;
    what = true;
    return first;
  };
  if (op.kind == OpKind::kThreadCreate && op.value == life.thread) return sets(life.created);
  if (op.kind == OpKind::kThreadEnd && op.thread == life.thread) return sets(life.ended);
  if (op.kind == OpKind::kThreadJoin && op.value == life.thread) return did_fail(op) != life.ended;
  return true;
}

}  // namespace ravel
