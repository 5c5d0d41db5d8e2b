// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/record/first_functions.h"

#include <string.h>

#include "runtime/state/locations.h"
#include "runtime/state/state.h"

namespace ravel::rt {

std::uint32_t g_first_functions = 0;

namespace {

// Its threads all have one start routine; what they run is an object with virtual functions.
bool is_standard_library(LocationId location) {
  const unsigned slot = module_slot(location);
  return slot != 0 && slot < kMaxModules && strstr(g.block->modules[slot].path, "libstdc++.so") != nullptr;
}

}  // namespace

void begin_first_functions() {
  const Campaign& campaign = g.block->campaign;
  const std::uint32_t wanted =
      campaign.cover_functions < kMostFirstFunctions ? campaign.cover_functions : kMostFirstFunctions;
  g_first_functions = campaign.coverage != 0 ? wanted : 0;
}

void begin_first_functions(ThreadIndex thread, void* (*start)(void*), void* argument) {
  FirstFunctions& functions = g.block->first_functions[thread];
  functions.count = 0;
  functions.type = location_of(reinterpret_cast<std::uintptr_t>(start));
  if (argument != nullptr && is_standard_library(functions.type)) {
    functions.type = location_of(*static_cast<const std::uintptr_t*>(argument));
  }
}

void note_first_function(std::uintptr_t inside) {
  const ThreadIndex thread = g.current->index;
  if (thread == 0 || thread >= kMaxThreads) return;
  FirstFunctions& functions = g.block->first_functions[thread];
  if (functions.count < g_first_functions) functions.first[functions.count++] = location_of(inside);
}

}  // namespace ravel::rt
