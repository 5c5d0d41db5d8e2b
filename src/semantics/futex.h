// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Futexes: a wait joins the queue of its address iff the word still has the expected value, in one step. The word is
// the program's; the queue is kept by the runtime, in order of arrival as the kernel does. kFutexResume is enabled when
// the thread was woken or its time-out is due.
#pragma once

#include <cstdint>

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

}  // namespace ravel
