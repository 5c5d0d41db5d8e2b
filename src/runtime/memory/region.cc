// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Making a region, allocation, and small blocks.
#include "runtime/memory/region.h"

namespace ravel::rt {

Region* Region::create(std::uintptr_t address, std::size_t bytes) {
  constexpr std::size_t kControlBytes = (sizeof(Region) + kSpanBytes - 1) & ~(kSpanBytes - 1);
  // One span more: an address of the kernel's choice is page-aligned only.
  const std::size_t reserved = kControlBytes + bytes + kSpanBytes;
  void* start = reserve_pages(address, reserved);
  if (start == nullptr) return nullptr;
  Region* region = static_cast<Region*>(start);
  const std::uintptr_t after = reinterpret_cast<std::uintptr_t>(start) + kControlBytes;
  region->data_ = (after + kSpanBytes - 1) & ~(kSpanBytes - 1);
  region->data_bytes_ = bytes;
  region->reserved_bytes_ = reserved;
  region->segment_shift_ = static_cast<unsigned>(__builtin_ctzll(bytes / kSegments));
  return region;
}

namespace {
constexpr std::size_t kZeroedInPlace = std::size_t{1} << 20;  // beyond, pages that nobody touched would be worth a call
}

void Region::destroy(Region* region) {
  unreserve_pages(region, region->reserved_bytes_);
}

BlockHeader* Region::allocate(std::size_t size, std::size_t alignment, std::uint32_t thread, std::uintptr_t site,
                              bool zero) {
  if (size > data_bytes_ || alignment > data_bytes_ / 2) return nullptr;
  const bool small = size <= kMaxSmall && alignment <= kPageBytes;
  bool fresh = false;
  BlockHeader* block = nullptr;
  {
    const Locked locked(lock_);
    Arena& arena = arena_of(thread);
    block = small ? take_small(arena, size, alignment, fresh) : take_run(arena, size, alignment, fresh);
    if (block == nullptr) return nullptr;
    block->link = 0;
    block->set_size(size);
    block->site = site & ((std::uint64_t{1} << 48) - 1);
    block->set_state(BlockState::kLive);
    block->thread = thread;
    block->ordinal = ++allocations_[thread % kCountedThreads];
    block->slot = {};
  }
  if (zero && !fresh) {
    const std::uintptr_t begin = block->payload();
    const std::uintptr_t end = begin + size;
    if (small || size <= kZeroedInPlace) {
      zero_bytes(reinterpret_cast<void*>(begin), size);
    } else {
      drop_pages(begin, end);
      zero_bytes(reinterpret_cast<void*>(begin), page_up(begin) - begin);
      zero_bytes(reinterpret_cast<void*>(page_down(end)), end - page_down(end));
    }
  }
  return block;
}

Region::Arena& Region::arena_of(std::uint32_t thread) {
  const std::uint32_t index = thread % kArenas;
  Arena& arena = arenas_[index];
  if (!arena.ready) {
    arena.ready = true;
    arena.small_segment = 2 * index;
    arena.run_segment = 2 * index + 1;
  }
  return arena;
}

BlockHeader* Region::take_small(Arena& arena, std::size_t size, std::size_t alignment, bool& fresh) {
  const unsigned cls = small_class(size);
  const bool aligned = alignment > kGranule;
  BlockHeader* block = aligned ? take_aligned(arena, cls, alignment) : pop(arena.free_small[cls]);
  if (block != nullptr) return block;
  fresh = true;
  block = cut_small(arena, cls, alignment);
  if (block == nullptr) return nullptr;
  block->cls = cls & 127;
  block->aligned = aligned ? 1 : 0;
  return block;
}

// Few programs have many of these, so the first that fits is looked for in one list; the bound keeps it from getting
// slow.
BlockHeader* Region::take_aligned(Arena& arena, unsigned cls, std::size_t alignment) {
  BlockRef* link = &arena.free_aligned;
  for (int looked_at = 0; *link != 0 && looked_at < 256; ++looked_at) {
    BlockHeader* block = block_of(*link);
    if (block->cls == cls && block->payload() % alignment == 0) {
      *link = block->link;
      return block;
    }
    link = &block->link;
  }
  return nullptr;
}

BlockHeader* Region::cut_small(Arena& arena, unsigned cls, std::size_t alignment) {
  const std::size_t bytes = small_bytes(cls);
  Cursor& cursor = bytes <= kMaxTiny && alignment <= kMaxTiny ? arena.tiny : arena.medium;
  const auto place = [&] { return (cursor.next + sizeof(BlockHeader) + alignment - 1) & ~(alignment - 1); };
  std::uintptr_t payload = place();
  if (cursor.next == 0 || payload + bytes > cursor.end) {
    const std::uintptr_t span = new_span(arena);
    if (span == 0) return nullptr;
    cursor = {span + kBitmapBytes, span + kSpanBytes};
    payload = place();
  }
  cursor.next = payload + bytes;
  const std::uintptr_t header = payload - sizeof(BlockHeader);
  const std::size_t granule = (header & (kSpanBytes - 1)) / kGranule;
  bitmap_of(header)[granule / 64] |= std::uint64_t{1} << (granule % 64);
  return reinterpret_cast<BlockHeader*>(header);
}

std::uintptr_t Region::new_span(Arena& arena) {
  if (segments_[arena.small_segment].used == spans_per_segment()) {
    const std::uint32_t next = shared_segments(1, SegmentKind::kSmall);
    if (next == 0) return 0;
    arena.small_segment = next;
  }
  const std::uint32_t span = segments_[arena.small_segment].used++;
  return data_ + (std::uintptr_t{arena.small_segment} << segment_shift_) + std::uintptr_t{span} * kSpanBytes;
}

std::uint32_t Region::shared_segments(std::size_t count, SegmentKind kind) {
  constexpr std::uint32_t kFirst = 2 * kArenas;
  if (count > kSegments - kFirst - shared_used_) return 0;
  const std::uint32_t first = kFirst + shared_used_;
  shared_used_ += static_cast<std::uint32_t>(count);
  for (std::uint32_t i = first; i < kFirst + shared_used_; ++i) segments_[i].kind = kind;
  return first;
}

}  // namespace ravel::rt
