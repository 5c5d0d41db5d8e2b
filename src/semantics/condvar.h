// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Condition variables. The runtime keeps the set of waiting threads; the state counts them and remembers their mutex.
//
// A wait is two operations. kCondWait releases the mutex and joins the waiters; kCondReacquire takes the mutex again
// and is enabled when the thread was woken (or its time-out or a spurious wake-up is due) and the mutex can be locked.
// Both have place = condition variable and value = place of the mutex.
// A signal may wake any one waiter: who, is a choice by thread (POSIX promises no order), so the waiters are a set.
#pragma once

#include <cstdint>
#include <type_traits>

#include "model/event.h"
#include "semantics/answer.h"
#include "semantics/sync_result.h"

namespace ravel {

struct CondState {
  std::uint32_t waiters = 0;  // not woken yet; kDestroyed: destroyed
  std::uint32_t clock = 0;    // of the attribute; the runtime's
  std::uint64_t mutex = 0;    // place of the mutex they wait with, while there are waiters
};
static_assert(sizeof(CondState) == 16 && std::is_trivially_copyable_v<CondState>);

inline bool is_destroyed(const CondState& c) {
  return c.waiters == kDestroyed;
}

// The caller holds the mutex and unlocks it in the same step when this is kOk.
inline SyncResult cond_enqueue(CondState& c, std::uint64_t mutex) {
  if (is_destroyed(c)) return SyncResult::kInvalid;
  if (c.waiters != 0 && c.mutex != mutex) return SyncResult::kWrongMutex;
  c.mutex = mutex;
  ++c.waiters;
  return SyncResult::kOk;
}

// One waiter leaves the set: woken by a signal, timed out, or spuriously.
inline void cond_dequeue(CondState& c) {
  if (--c.waiters == 0) c.mutex = 0;
}

// How many alternatives a signal has: the n-th is the n-th waiter by thread index. 0: the signal is lost.
inline std::uint32_t signal_alternatives(const CondState& c) {
  return is_destroyed(c) ? 0 : c.waiters;
}

// Wakes all; yields how many.
inline std::uint32_t cond_dequeue_all(CondState& c) {
  const std::uint32_t woken = signal_alternatives(c);
  if (woken != 0) {
    c.waiters = 0;
    c.mutex = 0;
  }
  return woken;
}

// One thread's wait, followed through the operations on its condition variable.
struct CondWait {
  enum class Phase : std::uint8_t { kOutside, kWaits, kWoken };
  std::uint32_t thread;
  Phase phase = Phase::kOutside;
};
inline void apply(CondWait& wait, const OperationView& op) {
  if (did_fail(op)) return;
  if (op.thread == wait.thread) {
    if (op.kind == OpKind::kCondWait) wait.phase = CondWait::Phase::kWaits;
    if (op.kind == OpKind::kCondReacquire) wait.phase = CondWait::Phase::kOutside;
  } else if (wait.phase == CondWait::Phase::kWaits &&
             (op.kind == OpKind::kCondBroadcast || (op.kind == OpKind::kCondSignal && op.value == wait.thread))) {
    wait.phase = CondWait::Phase::kWoken;
  }
}

inline SyncResult destroy(CondState& c) {
  if (is_destroyed(c)) return SyncResult::kInvalid;
  if (c.waiters != 0) return SyncResult::kBusy;
  c.waiters = kDestroyed;
  return SyncResult::kOk;
}

}  // namespace ravel
