// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Futexes: a wait joins the queue of its address iff the word still has the expected value, in one step. The word is
// the program's; the queue is kept by the runtime, in order of arrival as the kernel does. kFutexResume is enabled when
// the thread was woken or its time-out is due.
#pragma once

#include <cstdint>

#include "semantics/answer.h"

namespace ravel {

inline constexpr std::uint16_t kFutexWordBytes = 4;

// Does the wait enqueue? Otherwise it fails with EAGAIN and is an event with kFailed.
inline constexpr bool futex_waits(std::uint32_t word, std::uint32_t expected) {
  return word == expected;
}

// FUTEX_WAKE_BITSET reaches the waiters that have a bit in common.
inline constexpr bool futex_reaches(std::uint32_t wake_mask, std::uint32_t wait_mask) {
  return (wake_mask & wait_mask) != 0;
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
  bool waits = false;
  bool woken = false;
  std::uint64_t queue = 0;   // how many wait
  std::uint64_t ahead = 0;   // of them, those that came before it
  std::uint64_t behind = 0;  // one bit per thread that came after it; exact for up to 64 threads
};
inline void apply(FutexWaiter& waiter, const OperationView& op) {
  if (did_fail(op)) return;
  if (op.kind == OpKind::kFutexWait) {
    if (op.thread == waiter.thread) {
      waiter.waits = true;
      waiter.woken = false;
      waiter.ahead = waiter.queue;
      waiter.behind = 0;
    } else {
      waiter.behind |= std::uint64_t{1} << op.thread % 64;
    }
    ++waiter.queue;
  } else if (op.kind == OpKind::kFutexWake) {
    if (waiter.waits && !waiter.woken && op.value > waiter.ahead) waiter.woken = true;
    waiter.ahead -= op.value < waiter.ahead ? op.value : waiter.ahead;
    waiter.queue -= op.value < waiter.queue ? op.value : waiter.queue;
  } else if (op.kind == OpKind::kFutexResume && (op.bits & (kTimeout | kSpurious)) != 0) {
    const bool came_after = (waiter.behind >> op.thread % 64 & 1) != 0;
    if (waiter.queue != 0) --waiter.queue;
    if (waiter.ahead != 0 && !came_after) --waiter.ahead;
  }
}

}  // namespace ravel
