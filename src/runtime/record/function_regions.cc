// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/record/function_regions.h"

#include "base/sorted.h"
#include "runtime/record/first_functions.h"
#include "runtime/record/recorder.h"
#include "runtime/state/locations.h"
#include "runtime/state/state.h"
#include "runtime/state/thread.h"

namespace ravel::rt {

bool g_watched_functions = false;

namespace {

bool is_in(const CodeRange* table, std::uint32_t count, std::uintptr_t inside) {
  const std::uintptr_t offset = inside - g_executable.base;
  const std::uint32_t size = count < kMaxRegionFunctions ? count : kMaxRegionFunctions;
  const std::size_t behind = first_not(size, [&](std::size_t i) { return table[i].start <= offset; });
  return behind != 0 && offset < table[behind - 1].end;
}

void end_region(VirtualThread& self) {
  self.region_depth = 0;
  if (self.regions == 0) return;
  record(OpKind::kRegionEnd, 0, 0, 0, self.region_entry, --self.regions);
}

}  // namespace

void begin_region_functions() {
  begin_first_functions();
  g_watched_functions = g.block->campaign.region_functions != 0 || g_first_functions != 0;
}

void enter_function(std::uintptr_t inside) {
  VirtualThread& self = *g.current;
  if (g.preparing) return;
  const Campaign& campaign = g.block->campaign;
  if (g_first_functions != 0) {
    if (campaign.job_functions != 0 && is_in(campaign.job_table, campaign.job_functions, inside)) {
      begin_job(location_of(inside));
    }
    note_first_function(inside);
  }
  if (self.region_depth != 0) {
    if (self.calls.depth() > self.region_depth) return;
    end_region(self);
  }
  if (!is_in(campaign.region_table, campaign.region_functions, inside)) return;
  self.region_depth = self.calls.depth();
  self.region_entry = location_of(inside);
  record(OpKind::kRegionBegin, 0, 0, 0, self.region_entry, self.regions++);
}

void leave_function() {
  VirtualThread& self = *g.current;
  if (self.region_depth != 0 && self.calls.depth() < self.region_depth) end_region(self);
}

}  // namespace ravel::rt
