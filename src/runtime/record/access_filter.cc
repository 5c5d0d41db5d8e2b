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

alignas(64) AccessFilter g_filter;

namespace {

bool mapped = false;

// At the beginning of an execution: no more than half of them are used up.
constexpr std::uint64_t kMostStamps = std::uint64_t{1} << (64 - kStampShift - 1);
void forget_all_stamps() {
  raw_syscall(SYS_madvise, static_cast<long>(kFilterAddress), static_cast<long>(kFilterMapped), MADV_REMOVE);
  stamps().last = 0;
}

}  // namespace

void make_filter() {
  const long at = static_cast<long>(kFilterAddress - 4096);
  const long result = raw_syscall(SYS_mmap, at, static_cast<long>(kFilterMapped + 4096), PROT_READ | PROT_WRITE,
                                  MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  mapped = result == at && g_heap_range.begin - kHeapAddress < kHeapBytes;
}

FastPath choose_fast_path() {
  if (g_tail) return FastPath::kNone;
  return g_filter.bytes == 0 ? FastPath::kUnfiltered : FastPath::kFiltered;
}

void begin_filter() {
  const PlanSpec& plan = g.block->plan;
  const bool all_places = plan.points == PointsMode::kShared || plan.points == PointsMode::kAll ||
                          plan.record_steps != 0 || plan.record_also == RecordAlso::kAccesses;
  g_filter = {};
  g_filter.bytes = mapped && !all_places && plan.without_shortcuts == 0 ? kFilteredBytes : 0;
  g_filter.points = g_plain_points != PlainPoints::kNone;
  g_filter.fast_path = choose_fast_path();
  g_filter.no_stamp = g_filter.points ? kNoStamp : 0;
  g_filter.stamp = kNoStamp;
  if (mapped && stamps().last > kMostStamps) forget_all_stamps();
  if (mapped) g_filter.first_stamp = stamps().last << kStampShift;
}

// Half of them at least were left at the beginning.
void look_at_stamps() {
  constexpr std::uint64_t kLast = (std::uint64_t{1} << (64 - kStampShift)) - 4 * kRingEvents;
  if (g_filter.bytes == 0 || stamps().last <= kLast) return;
  g_filter.bytes = 0;
  g_filter.stamp = kNoStamp;
  g_filter.fast_path = choose_fast_path();
}

void resume_stretch(VirtualThread& thread) {
  if (g_filter.bytes == 0) return;
  show_stamp(thread.stamp);
  g_filter.stack_low = thread.stack_low;
  g_filter.stack_bytes = thread.stack_bytes;
}

}  // namespace ravel::rt
