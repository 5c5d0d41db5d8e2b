// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What the heap reports (memory/hooks.h): which thread is running, where blocks come from and go to, frees as events. A
// free at a place where a race has been seen is a scheduling point, like an access there, unless the C library frees.
#include "runtime/access/access_api.h"
#include "runtime/memory/heap.h"
#include "runtime/memory/hooks.h"
#include "runtime/record/end_of_execution.h"
#include "runtime/record/objects.h"
#include "runtime/record/points.h"
#include "runtime/record/recorder.h"
#include "runtime/schedule/faults.h"
#include "runtime/schedule/heap_check.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/state/locations.h"

namespace ravel::rt {

namespace {
bool announced = false;  // the free in hand was a scheduling point
}

unsigned heap_thread_index() {
  return g.in_control ? g.current->index : ThreadIndex();
}

void on_resize(std::uintptr_t address, std::size_t before, std::size_t now) {
  forget_recent_objects();
  if (now < before) forget_accesses(address + now, before - now);
}

// Only what the program itself asks for: the libraries' own failures are theirs.
bool refuse_alloc(std::uintptr_t pc) {
  if (!g.in_control || (g.block->plan.faults & kFaultAlloc) == 0 || !is_user_code(pc)) return false;
  return fault_happens(kFaultAlloc, location_of(pc));
}

void on_alloc(const BlockInfo& block) {
  forget_recent_objects(block.base, block.size);
  if (g.in_control) block.slot->allocated_context = g.current->calls.context();
}

void before_free(std::uintptr_t address, std::uintptr_t pc) {
  announced = false;
  if (!recording()) return;
  const LocationId location = location_of(pc);
  BlockInfo block;
  if (!is_plain_point(location) || is_c_library(pc) || !find_block(address, block)) return;
  (void)place_of_address(address);  // whoever uses the block later has to find this free in the trace
  Pending pending;
  pending.kind = OpKind::kHeapFree;
  pending.address = address;
  pending.location = location;
  pending.value = block.size;
  point(pending);
  announced = true;
}

void on_free(const BlockInfo& block, std::uintptr_t pc) {
  if (!g.in_control) return;
  const LocationId location = location_of(pc);
  block.slot->freed_location = location;
  block.slot->freed_context = g.current->calls.context();
  block.slot->freed_by = g.current->index;
  // Only objects that other threads may know matter to observers; those have been interned.
  if (!recording() || block.slot->object == 0) return forget_recent_objects(block.base, block.size);
  if (announced) {
    record_pending(0, block.size);
  } else {
    record(OpKind::kHeapFree, 0, 0, block.base, location, block.size);
  }
  forget_recent_objects(block.base, block.size);
  forget_accesses(block.base, block.size);
}

void on_invalid_free(const BlockInfo& block, std::uintptr_t address, std::uintptr_t pc) {
  if (!g.in_control) return;
  if (block.base == address && !block.live) finish_double_free(block, location_of(pc));
  finish_failure(OutcomeKind::kMisuse, "freed a pointer that malloc did not return", location_of(pc));
}

}  // namespace ravel::rt
