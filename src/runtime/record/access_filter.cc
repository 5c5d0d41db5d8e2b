// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/record/access_filter.h"

#include <sys/mman.h>

#include "runtime/fiber/carrier.h"
#include "runtime/memory/heap.h"
#include "runtime/platform/pages.h"
#include "runtime/platform/raw.h"
#include "runtime/record/points.h"
#include "runtime/record/stretch.h"
#include "runtime/record/watch.h"

namespace ravel::rt {

static_assert(kFilteredFrom == kHeapAddress &&
              kStackRegion + kMaxLive * kStackStride <= kFilteredFrom + kFilteredBytes);

alignas(64) AccessFilter g_filter;

namespace {

constexpr std::size_t kFewBytes = 256;
constexpr std::uintptr_t kChunk = std::uintptr_t{1} << kChunkShift;
constexpr std::size_t kLongestCleared = std::size_t{1} << 20;  // of more the pages are given back
bool mapped = false;

void give_back(std::uintptr_t begin, std::uintptr_t end) {
  raw_syscall(SYS_madvise, static_cast<long>(kFilterAddress + begin), static_cast<long>(end - begin), MADV_REMOVE);
}

// Before they are used up: no execution needs as many as are left.
constexpr std::uint64_t kMostStamps = std::uint64_t{1} << (64 - kStampShift - 1);
void forget_all_stamps() {
  give_back(0, kFilteredBytes + kMarkBytes);
  stamps().last = 0;
}

void clear_entries(std::uintptr_t begin, std::uintptr_t end) {
  if (end - begin <= kFewBytes) {
    for (; begin != end; begin += sizeof(std::uint64_t)) filter_entry(begin) = 0;
    return;
  }
  zero_bytes(reinterpret_cast<void*>(kFilterAddress + begin), end - begin);
}

bool is_marked(std::uintptr_t offset) {
  return chunk_mark(offset) > g_filter.first_stamp;
}

// By chunks: what this execution has not marked needs nothing. What is left of a chunk keeps its mark.
void clear_marked(std::uintptr_t begin, std::uintptr_t end) {
  const bool long_block = end - begin > kLongestCleared;
  while (begin < end) {
    const std::uintptr_t next = (begin | (kChunk - 1)) + 1;
    const std::uintptr_t until = next < end ? next : end;
    if (is_marked(begin)) {
      const bool whole = until - begin == kChunk;
      if (whole) chunk_mark(begin) = 0;
      whole&& long_block ? give_back(begin, until) : clear_entries(begin, until);
    }
    begin = until;
  }
}

}  // namespace

void make_filter() {
  const long at = static_cast<long>(kFilterAddress - 4096);
  const long result =
      raw_syscall(SYS_mmap, at, static_cast<long>(kFilteredBytes + kMarkBytes + 4096), PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  mapped = result == at && g_heap_range.begin - kHeapAddress < kHeapBytes;
}

Closely how_closely() {
  if (g_tail) return Closely::kAlways;
  return g_filter.bytes == 0 ? Closely::kUnfiltered : Closely::kNot;
}

void begin_filter() {
  const PlanSpec& plan = g.block->plan;
  const bool all_places = plan.points == PointsMode::kShared || plan.points == PointsMode::kAll ||
                          plan.record_steps != 0 || plan.record_also == RecordAlso::kAccesses;
  g_filter = {};
  g_filter.bytes = mapped && !all_places ? kFilteredBytes : 0;
  g_filter.points = g_plain_points != PlainPoints::kNone;
  g_filter.closely = how_closely();
  g_filter.no_stamp = g_filter.points ? kNoStamp : 0;
  g_filter.stamp = kNoStamp;
  if (mapped && stamps().last > kMostStamps) forget_all_stamps();
  if (mapped) g_filter.first_stamp = stamps().last << kStampShift;
}

void resume_stretch(VirtualThread& thread) {
  if (g_filter.bytes == 0) return;
  show_stamp(thread.stamp);
  g_filter.stack_low = thread.stack_low;
  g_filter.stack_bytes = thread.stack_bytes;
}

void forget_cells(std::uintptr_t address, std::size_t size) {
  constexpr std::uintptr_t kCell = 8;
  const std::uintptr_t begin = (address - kFilteredFrom) & ~(kCell - 1);
  std::uintptr_t end = (address - kFilteredFrom + (size == 0 ? 1 : size) + kCell - 1) & ~(kCell - 1);
  if (end > g_filter.bytes) end = g_filter.bytes;
  end - begin <= kFewBytes ? clear_entries(begin, end) : clear_marked(begin, end);
}

}  // namespace ravel::rt
