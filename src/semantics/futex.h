// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Futexes: a wait joins the queue of its address iff the word still has the expected value, in one step. The word is
// the program's; the queue is in order of arrival as in the kernel: each waiter has a turn, and its part of the wait
// (waiting.h). kFutexResume is enabled when the thread was woken or its time-out is due.
#pragma once

#include <cstdint>

#include "semantics/answer.h"
#include "semantics/waiting.h"

namespace ravel {

inline constexpr std::uint16_t kFutexWordBytes = 4;

// Does the wait enqueue? Otherwise it fails with EAGAIN and is an event with kFailed.
inline constexpr bool futex_waits(std::uint32_t word, std::uint32_t expected) {
  return word == expected;
}

// A thread's turn in the queue of its word. FUTEX_WAKE_BITSET reaches the waiters that have a bit in common.
struct FutexTurn {
  std::uint64_t ticket = 0;  // order of arrival
  std::uint32_t mask = 0;
};
inline constexpr bool futex_reaches(Waiting waiting, const FutexTurn& turn, std::uint32_t mask) {
  return waiting == Waiting::kWaits && (mask & turn.mask) != 0;
}
// Whom of two waiters a wake chooses: the one that has waited longer.
inline constexpr bool comes_first(const FutexTurn& a, const FutexTurn& b) {
  return a.ticket < b.ticket;
}

// How many of `waiting` threads a wake of `wanted` wakes: the longest waiting first. Linux wakes one when asked for
// none.
inline constexpr std::uint32_t futex_wakes(std::uint32_t waiting, std::int32_t wanted) {
  const std::uint32_t limit = wanted < 1 ? 1 : static_cast<std::uint32_t>(wanted);
  return limit < waiting ? limit : waiting;
}

// One thread in the queue, followed through the operations on its word. Wakes reach the longest waiting: those by mask
// and those that move waiters are kFutexRequeue, about which nothing is said here.
struct FutexWaiter {
  std::uint32_t thread;
  Waiting waiting = Waiting::kOutside;
  std::uint64_t queue = 0;   // how many wait
  std::uint64_t ahead = 0;   // of them, those that came before it
  std::uint64_t behind = 0;  // one bit per thread that came after it; exact for up to 64 threads
};
inline Answer ask(const FutexWaiter& waiter, const OperationView& op, bool gives_up) {
  return {op.kind != OpKind::kFutexResume || can_resume(waiter.waiting, gives_up)};
}
inline bool apply(FutexWaiter& waiter, const OperationView& op) {
  if (did_fail(op)) return true;
  const bool own = op.thread == waiter.thread;
  if (op.kind == OpKind::kFutexWait) {
    if (own) {
      waiter.waiting = Waiting::kWaits;
      waiter.ahead = waiter.queue;
      waiter.behind = 0;
    } else {
      waiter.behind |= std::uint64_t{1} << op.thread % 64;
    }
    ++waiter.queue;
  } else if (op.kind == OpKind::kFutexWake) {
    if (waiter.waiting == Waiting::kWaits && op.value > waiter.ahead) waiter.waiting = Waiting::kWoken;
    waiter.ahead -= op.value < waiter.ahead ? op.value : waiter.ahead;
    const bool agrees = op.value <= waiter.queue;
    waiter.queue -= agrees ? op.value : waiter.queue;
    return agrees;
  } else if (op.kind == OpKind::kFutexResume) {
    const bool gave_up = (op.bits & (kTimeout | kSpurious)) != 0;
    const bool agrees = !own || can_resume(waiter.waiting, gave_up);
    if (gave_up) {
      const bool came_after = (waiter.behind >> op.thread % 64 & 1) != 0;
      if (waiter.queue != 0) --waiter.queue;
      if (waiter.ahead != 0 && !came_after) --waiter.ahead;
    }
    if (own) waiter.waiting = Waiting::kOutside;
    return agrees;
  }
  return true;
}

}  // namespace ravel
