// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Runs: blocks of whole spans, for payloads over 32 KiB and for alignments over a page. The header stands right before
// the payload; run_of_ names it for every span of the run.
#include "runtime/memory/region.h"

namespace ravel::rt {

BlockHeader* Region::take_run(Arena& arena, std::size_t size, std::size_t alignment, bool& fresh) {
  const std::size_t slack = alignment > sizeof(BlockHeader) ? alignment : sizeof(BlockHeader);
  const unsigned cls = run_class((size + slack + kSpanBytes - 1) / kSpanBytes);
  if (cls >= kRunClasses) return nullptr;
  BlockHeader* used = pop(arena.free_runs[cls]);
  if (used == nullptr) {
    const std::uint32_t first = cut_run(arena, run_spans(cls));
    if (first != kNoSpan) {
      fresh = true;
      return place_run(first, cls, alignment);
    }
    empty_quarantines();
    used = best_free_run(cls);
    if (used == nullptr) return nullptr;
  }
  return place_run(first_span(used), used->cls, alignment);
}

std::uint32_t Region::cut_run(Arena& arena, std::size_t spans) {
  const std::size_t limit = spans_per_segment();
  std::uint32_t segment = arena.run_segment;
  if (spans > limit) {
    const std::size_t count = (spans + limit - 1) / limit;
    segment = shared_segments(count, SegmentKind::kRuns);
    if (segment == 0) return kNoSpan;
    cut_spans_ += static_cast<std::uint32_t>(spans);
    for (std::size_t i = 0; i < count; ++i) segments_[segment + i].used = static_cast<std::uint32_t>(limit);
    return static_cast<std::uint32_t>(segment * limit);
  }
  if (segments_[segment].used + spans > limit) {
    segment = shared_segments(1, SegmentKind::kRuns);
    if (segment == 0) return kNoSpan;
    arena.run_segment = segment;
  }
  const std::size_t first = segment * limit + segments_[segment].used;
  segments_[segment].used += static_cast<std::uint32_t>(spans);
  cut_spans_ += static_cast<std::uint32_t>(spans);
  return static_cast<std::uint32_t>(first);
}

// The address space is used up: the smallest freed run of any arena that is long enough.
BlockHeader* Region::best_free_run(unsigned cls) {
  for (; cls < kRunClasses; ++cls) {
    for (Arena& arena : arenas_) {
      if (arena.free_runs[cls] != 0) return pop(arena.free_runs[cls]);
    }
  }
  return nullptr;
}

BlockHeader* Region::place_run(std::uint32_t first, unsigned cls, std::size_t alignment) {
  const std::uintptr_t start = data_ + std::uintptr_t{first} * kSpanBytes;
  const std::uintptr_t payload = (start + sizeof(BlockHeader) + alignment - 1) & ~(alignment - 1);
  BlockHeader* block = reinterpret_cast<BlockHeader*>(payload) - 1;
  block->cls = cls & 127;
  block->aligned = alignment > kGranule ? 1 : 0;
  live_spans_ += static_cast<std::uint32_t>(run_spans(cls));
  if (live_spans_ > most_live_spans_) most_live_spans_ = live_spans_;
  const BlockRef ref = ref_of(block);
  if (run_of_[first] != ref) {
    const std::size_t spans = run_spans(cls);
    for (std::size_t i = 0; i < spans; ++i) run_of_[first + i] = ref;
  }
  return block;
}

std::uint32_t Region::first_span(const BlockHeader* run) const {
  const BlockRef ref = ref_of(run);
  std::size_t span = std::size_t{ref} * kGranule / kSpanBytes;
  while (span > 0 && run_of_[span - 1] == ref) --span;  // further than one step only for large alignments
  return static_cast<std::uint32_t>(span);
}

}  // namespace ravel::rt
