// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What the heap tells the core: allocations and frees as events, and which thread is running.
#include "runtime/core/access_api.h"
#include "runtime/core/finish.h"
#include "runtime/core/locations.h"
#include "runtime/core/objects.h"
#include "runtime/core/recorder.h"
#include "runtime/core/state.h"
#include "runtime/memory/hooks.h"

namespace ravel::rt {

unsigned heap_thread_index() {
  return g.in_control ? g.current->index : 0;
}

void on_alloc(const BlockInfo&) {
  forget_recent_objects();
}

void on_resize() {
  forget_recent_objects();
}

void on_free(const BlockInfo& block, std::uintptr_t pc) {
  forget_recent_objects();
  // Only objects that other threads may know matter to observers; those have been interned.
  if (!g_watch || block.slot->object == 0) return;
  record(OpKind::kHeapFree, 0, 0, block.base, location_of(pc), block.size);
  forget_all_accesses();  // the memory may be another object soon, of any thread
}

void on_invalid_free(const BlockInfo& block, std::uintptr_t, std::uintptr_t pc) {
  if (!g.in_control) return;
  finish_failure(OutcomeKind::kMisuse,
                 block.base != 0 && !block.live ? "memory freed twice" : "freed a pointer that malloc did not return",
                 location_of(pc));
}

}  // namespace ravel::rt
