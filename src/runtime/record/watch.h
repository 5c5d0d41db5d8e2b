// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Whether accesses matter at the moment.
#pragma once

#include <cstdint>

#include "runtime/platform/hidden.h"

namespace ravel::rt {

// True while more than one virtual thread lives and the runtime is in control: only then accesses are looked at.
RAVEL_HIDDEN extern bool g_watch;
// With g_watch: one thread is left of several. Nothing is recorded, but freed memory is still looked for.
RAVEL_HIDDEN extern bool g_tail;
inline bool recording() {
  return g_watch && !g_tail;
}
// Proof that the program is instrumented: bumped by __tsan_init and __tsan_func_entry.
RAVEL_HIDDEN extern std::uint64_t g_callouts;

// Events in a row that are no points and of one thread: the scheduler lets others run after too many of them.
RAVEL_HIDDEN extern std::uint32_t g_same_thread_events;

}  // namespace ravel::rt
