// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// One thread's wait until another one wakes it, at a condition variable, a futex or a barrier. The runtime keeps one
// per thread, the searches compute it from a trace: both by the functions of condvar.h and futex.h, which change it.
#pragma once

#include <cstdint>

namespace ravel {

enum class Waiting : std::uint8_t {
  kOutside,
  kWaits,  // in the set of waiters: a wake-up may choose it
  kWoken,  // chosen; it goes on as soon as it can run
};

// May it go on? `gives_up`: its time-out is due, or a spurious wake-up, or a signal has interrupted it.
inline constexpr bool can_resume(Waiting waiting, bool gives_up) {
  return waiting == Waiting::kWoken || gives_up;
}

}  // namespace ravel
