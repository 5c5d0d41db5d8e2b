// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/record/access_filter.h"

#include <sys/mman.h>

#include "runtime/fiber/carrier.h"
#include "runtime/memory/heap.h"
#include "runtime/platform/raw.h"
#include "runtime/record/points.h"
#include "runtime/record/stretch.h"
#include "runtime/record/watch.h"

namespace ravel::rt {

static_assert(kFilteredFrom == kHeapAddress &&
              kStackRegion + kMaxLive * kStackStride <= kFilteredFrom + kFilteredBytes);

AccessFilter g_filter;

namespace {

constexpr std::size_t kLongestForgotten = 256;  // more bytes than this: forgetting all is cheaper
bool mapped = false;

// Stamps below it are void.
std::uint64_t floor = 0;

std::uint64_t new_stamp() {
  return ++stamps().last << kStampShift;
}

// Before they are used up: no execution needs as many as are left.
constexpr std::uint64_t kMostStamps = std::uint64_t{1} << (64 - kStampShift - 1);
void forget_all_stamps() {
  raw_syscall(SYS_madvise, static_cast<long>(kFilterAddress), static_cast<long>(kFilteredBytes), MADV_REMOVE);
  stamps().last = 0;
  floor = 0;
}

}  // namespace

void make_filter() {
  const long at = static_cast<long>(kFilterAddress - 4096);
  const long result = raw_syscall(SYS_mmap, at, static_cast<long>(kFilteredBytes + 4096), PROT_READ | PROT_WRITE,
                                  MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  mapped = result == at && g_heap_range.begin - kHeapAddress < kHeapBytes;
}

Closely how_closely() {
  if (g_tail) return Closely::kAlways;
  return g_filter.bytes == 0 ? Closely::kUnfiltered : Closely::kNot;
}

void begin_filter() {
  const PlanSpec& plan = g.block->plan;
  const bool all_places =
      plan.points == PointsMode::kShared || plan.points == PointsMode::kAll || plan.record_steps != 0;
  g_filter = {};
  g_filter.bytes = mapped && !all_places ? kFilteredBytes : 0;
  g_filter.points = g_plain_points != PlainPoints::kNone;
  g_filter.closely = how_closely();
  g_filter.no_stamp = g_filter.points ? kNoStamp : 0;
  g_filter.stamp = kNoStamp;
  if (mapped && stamps().last > kMostStamps) forget_all_stamps();
}

void resume_stretch(VirtualThread& thread) {
  if (g_filter.bytes == 0) return;
  if (thread.stamp <= floor) thread.stamp = new_stamp();
  show_stamp(thread.stamp);
  g_filter.stack_low = thread.stack_low;
  g_filter.stack_bytes = thread.stack_bytes;
}

void forget_all_accesses() {
  if (g_filter.bytes == 0) return;
  floor = new_stamp();
  begin_stretch(*g.current);
}

void forget_cells(std::uintptr_t address, std::size_t size) {
  if (size > kLongestForgotten) {
    forget_all_accesses();
    return;
  }
  const std::uintptr_t end = address + (size == 0 ? 1 : size);
  for (std::uintptr_t at = address & ~std::uintptr_t{7}; at < end; at += 8) {
    const std::uintptr_t offset = at - kFilteredFrom;
    if (offset < g_filter.bytes) filter_entry(offset) = 0;
  }
}

}  // namespace ravel::rt
