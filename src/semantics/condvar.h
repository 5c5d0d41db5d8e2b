// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Condition variables. The state counts the waiting threads and remembers their mutex; each has its own part of the
// wait (waiting.h).
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
#include "semantics/waiting.h"

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
inline SyncResult cond_enter(CondState& c, Waiting& self, std::uint64_t mutex) {
  if (is_destroyed(c)) return SyncResult::kInvalid;
  if (c.waiters != 0 && c.mutex != mutex) return SyncResult::kWrongMutex;
  c.mutex = mutex;
  ++c.waiters;
  self = Waiting::kWaits;
  return SyncResult::kOk;
}
inline constexpr bool can_reacquire(Waiting self, bool gives_up, bool mutex_is_free) {
  return can_resume(self, gives_up) && mutex_is_free;
}

// A signal or a broadcast has chosen the waiter, or it gives up.
inline void cond_take_out(CondState& c, Waiting& waiter, Waiting behind) {
  waiter = behind;
  if (c.waiters == 0 || is_destroyed(c)) return;
  if (--c.waiters == 0) c.mutex = 0;
}
inline void cond_wake(CondState& c, Waiting& waiter) {
  cond_take_out(c, waiter, Waiting::kWoken);
}
// The wait is over. False: nobody had woken the thread.
inline bool cond_leave(CondState& c, Waiting& self) {
  const bool woken = self == Waiting::kWoken;
  if (!woken) cond_take_out(c, self, Waiting::kOutside);
  self = Waiting::kOutside;
  return woken;
}

// How many alternatives a signal has: the n-th is the n-th waiter by thread index. 0: the signal is lost.
inline constexpr std::uint32_t signal_alternatives(const CondState& c) {
  return c.waiters == kDestroyed ? 0 : c.waiters;
}

// A condition variable as one thread sees it, followed through the operations of all. False: see answer.h.
struct CondWait {
  std::uint32_t thread;
  CondState state;
  Waiting waiting = Waiting::kOutside;
};
inline Answer ask(const CondWait& wait, const OperationView& op, bool gives_up, bool mutex_is_free) {
  return {op.kind != OpKind::kCondReacquire || can_reacquire(wait.waiting, gives_up, mutex_is_free)};
}
inline bool apply(CondWait& wait, const OperationView& op) {
  if (did_fail(op)) return true;
  const bool gave_up = (op.bits & (kTimeout | kSpurious)) != 0;
  Waiting another = gave_up ? Waiting::kWaits : Waiting::kWoken;
  Waiting& self = op.thread == wait.thread ? wait.waiting : another;
  const std::uint32_t there = signal_alternatives(wait.state);
  switch (op.kind) {
    case OpKind::kCondWait:
      if (cond_enter(wait.state, self, op.value) == SyncResult::kOk) return true;
      wait.state = {};
      (void)cond_enter(wait.state, self, op.value);
      return false;
    case OpKind::kCondReacquire: {
      const bool agrees = can_resume(self, gave_up);
      (void)cond_leave(wait.state, self);
      return agrees;
    }
    case OpKind::kCondSignal:
      if (op.value == kNoThread) return there == 0;
      cond_wake(wait.state, op.value == wait.thread ? wait.waiting : another);
      return there != 0;
    case OpKind::kCondBroadcast:
      if (wait.waiting == Waiting::kWaits) cond_wake(wait.state, wait.waiting);
      while (signal_alternatives(wait.state) != 0) cond_wake(wait.state, another);
      return there == op.value;
    default:
      return true;
  }
}

inline SyncResult destroy(CondState& c) {
  if (is_destroyed(c)) return SyncResult::kInvalid;
  if (c.waiters != 0) return SyncResult::kBusy;
  c.waiters = kDestroyed;
  return SyncResult::kOk;
}

}  // namespace ravel
