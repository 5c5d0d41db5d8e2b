// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Something that can only be found out on the stack of a thread that waits: it is switched to, answers and goes on
// waiting.
#pragma once

#include <cstdint>

#include "runtime/platform/hidden.h"
#include "runtime/state/thread.h"

namespace ravel::rt {

// What `find` says on the stack of another thread, which waits at a point.
std::uintptr_t ask_thread(VirtualThread& asked, std::uintptr_t (*find)());

RAVEL_HIDDEN extern VirtualThread* g_asker;  // nullptr: nobody asks
void answer_questions();
// Behind every switch: the thread may have been resumed for an answer only.
inline void answer_if_asked() {
  if (__builtin_expect(g_asker != nullptr, 0)) answer_questions();
}

}  // namespace ravel::rt
