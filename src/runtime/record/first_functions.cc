// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/record/first_functions.h"

#include <string.h>

#include "runtime/record/recorder.h"
#include "runtime/state/locations.h"
#include "runtime/state/state.h"
#include "runtime/state/thread.h"

namespace ravel::rt {

std::uint32_t g_first_functions = 0;

namespace {

std::uint32_t g_jobs = 0;  // of this execution

// Its threads all have one start routine; what they run is an object with virtual functions.
bool is_standard_library(LocationId location) {
  const unsigned slot = module_slot(location);
  return slot != 0 && slot < kMaxModules && strstr(g.block->modules[slot].path, "libstdc++.so") != nullptr;
}

}  // namespace

void begin_first_functions() {
  const Campaign& campaign = g.block->campaign;
  std::uint32_t wanted =
      campaign.cover_functions < kMostFirstFunctions ? campaign.cover_functions : kMostFirstFunctions;
  if (wanted < kLeastFirstFunctions) wanted = kLeastFirstFunctions;
  g_first_functions = campaign.coverage != 0 ? wanted : 0;
}

void begin_first_functions(ThreadIndex thread, void* (*start)(void*), void* argument) {
  FirstFunctions& functions = g.block->first_functions[thread];
  functions.count = 0;
  functions.thread = thread;
  functions.type = location_of(reinterpret_cast<std::uintptr_t>(start));
  if (argument != nullptr && is_standard_library(functions.type)) {
    functions.type = location_of(*static_cast<const std::uintptr_t*>(argument));
  }
}

void forget_jobs() {
  g_jobs = 0;
}

void begin_job(LocationId location) {
  VirtualThread& self = *g.current;
  if (g_jobs == kMostJobs) {
    record(OpKind::kJob, 0, 0, 0, location, 0);
    return;
  }
  const std::uint32_t row = kMaxThreads + g_jobs++;
  FirstFunctions& functions = g.block->first_functions[row];
  functions.type =
      self.index == 0 || self.index >= kMaxThreads ? LocationId() : g.block->first_functions[self.index].type;
  functions.count = 0;
  functions.thread = self.index;
  self.functions_row = row;
  record(OpKind::kJob, 0, 0, 0, location, row);
}

void note_first_function(std::uintptr_t inside) {
  const std::uint32_t row = g.current->functions_row;
  if (row == 0) return;  // main
  FirstFunctions& functions = g.block->first_functions[row];
  if (functions.count < g_first_functions) functions.first[functions.count++] = location_of(inside);
}

}  // namespace ravel::rt
