// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The noise gate: is this place eligible, does the thread's own random sequence say so, is the delay free? Then a
// seeding delays the thread (noise/). Decisions come from (seed, lineage of the thread) alone; nothing here touches the
// program's objects, errno, or is a cancellation point.
#pragma once

#include "free/access.h"
#include "free/heal.h"

namespace ravel::fr {

// `access`: what is open while it is delayed; nullptr: nothing.
void pass_gate(FreeThread& self, std::uint32_t place_class, std::uintptr_t pc, const PlainAccess* access = nullptr);

inline void gate(std::uint32_t place_class, std::uintptr_t pc) {
  FreeThread* self = t_self;
  if (self == nullptr || !g_block->request.noise.on) return;
  pass_gate(*self, place_class, pc);
}

inline void before_sync(std::uintptr_t pc) {
  if ((g_hooks & kHookHeal) != 0) heal(pc);
  gate(kNoiseBeforeSync, pc);
}
inline void after_sync(std::uintptr_t pc) {
  gate(kNoiseAfterSync, pc);
}

}  // namespace ravel::fr
