// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The end of the process. exit, quick_exit and the return of main run handlers and destructors, once: the thread that
// begins has two events, before and after them, and others that want the same wait for the end. _exit never waits.
#pragma once

#include <cstdint>

namespace ravel {

// The order bits of kExit say how.
inline constexpr std::uint8_t kExitByHandlers = 0;
inline constexpr std::uint8_t kExitAtOnce = 1;

inline constexpr bool can_exit(std::uint8_t how, bool another_runs_handlers) {
  return how == kExitAtOnce || !another_runs_handlers;
}

}  // namespace ravel
