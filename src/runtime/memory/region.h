// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Region: the address space of one heap and everything known about it. The object lies at the start of that space, so
// that fork and rollback carry blocks and book-keeping together; all zero is its empty state.
//
// The space is cut into 256 segments. Arena a (virtual threads a, a + 64, ...) owns segment 2a for small blocks and
// 2a + 1 for runs; an arena that fills its own goes on in the shared upper half. Hence an address depends on what the
// threads of that arena did, not on what others allocated. Small blocks of all sizes are laid out one after the other
// in spans of 64 KiB, so that a small program touches few pages; a bitmap at the start of each span has a bit for each
// header, which makes the block of any address a short scan. Runs are whole spans, found by run_of_.
//
// A freed block waits in its arena's quarantine, then in the list of its class. Blocks are never split or joined.
// Freed runs keep their pages as long as all runs, live and freed, are within keeps_runs(): a page given back to the
// kernel costs every later execution in this process a fault.
// Every member may be called from any OS thread; the lock is held for the list work only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/memory/block.h"
#include "runtime/memory/size_classes.h"
#include "runtime/platform/pages.h"
#include "runtime/platform/spin_lock.h"

namespace ravel::rt {

inline constexpr std::size_t kRegionBytes = std::size_t{64} << 30;
inline constexpr unsigned kArenas = 64;
inline constexpr unsigned kSegments = 256;
inline constexpr std::uint32_t kCountedThreads = 1u << 18;  // threads beyond share a counter
inline constexpr std::uint32_t kQuarantineBlocks = 256;     // of each arena
inline constexpr std::uint32_t kQuarantineBytes = 1u << 20;
inline constexpr std::size_t kKeptRunBytes = std::size_t{256} << 20;

// A block by the place of its header: distance from the first segment in granules. 64 GiB of them fit; 0 is none, as
// the first granules of a span are its bitmap or the start of segment 0.
using BlockRef = std::uint32_t;

enum class FreeResult : std::uint8_t {
  kFreed,
  kForeign,  // not of this heap
  kInvalid,  // of this heap, but not the start of a live block
};

class Region {
 public:
  // A heap of 2^n bytes (1 GiB to 64 GiB), at `address` if that is free. nullptr: the kernel refused.
  static Region* create(std::uintptr_t address, std::size_t bytes);
  static void destroy(Region* region);

  // nullptr: no room. `alignment` is a power of two. `zero`: the payload reads as zero.
  BlockHeader* allocate(std::size_t size, std::size_t alignment, std::uint32_t thread, std::uintptr_t site, bool zero);
  // `info` is filled when the address lies in a block: the block as it was before.
  FreeResult release(std::uintptr_t address, BlockInfo& info);
  // The block keeps place and identity; false: it has to move.
  bool resize_in_place(std::uintptr_t address, std::size_t size);
  // The block whose payload contains `address`, live or freed. Reads without the lock.
  [[nodiscard]] BlockHeader* find(std::uintptr_t address) const;
  // An access to [address, address + size), and the block it is about.
  BlockUse use_of(std::uintptr_t address, std::size_t size, BlockInfo& out) const;
  // The block nearest to an address that is in none; of two equally near, the lower one. nullptr: none is near.
  [[nodiscard]] BlockHeader* nearest(std::uintptr_t address) const;
  // The live or freed block whose payload starts at `address`.
  [[nodiscard]] BlockHeader* block_at(std::uintptr_t address) const;

  [[nodiscard]] bool contains(std::uintptr_t address) const { return address - data_ < data_bytes_; }
  [[nodiscard]] std::uintptr_t data() const { return data_; }
  [[nodiscard]] std::size_t data_bytes() const { return data_bytes_; }
  // Around a fork: nobody is in the middle of a change.
  void lock() { lock_.lock(); }
  void unlock() { lock_.unlock(); }
  // All memory that was ever written, as ranges: the book-keeping, then the used part of each segment.
  template <class Visit>
  void visit_used(Visit&& visit) const {
    visit(reinterpret_cast<std::uintptr_t>(this), data_);
    for (std::uintptr_t i = 0; i < kSegments; ++i) {
      const std::uintptr_t begin = data_ + (i << segment_shift_);
      if (segments_[i].used != 0) visit(begin, begin + std::uintptr_t{segments_[i].used} * kSpanBytes);
    }
  }

 private:
  enum class SegmentKind : std::uint32_t { kUnused, kSmall, kRuns };
  struct Segment {
    std::uint32_t used;  // spans, from its start
    SegmentKind kind;    // of shared segments only
  };
  struct Cursor {  // the span that small blocks are cut from
    std::uintptr_t next;
    std::uintptr_t end;
  };
  struct Arena {
    bool ready;
    std::uint32_t small_segment;
    std::uint32_t run_segment;
    BlockRef oldest;  // quarantine, first in first out
    BlockRef newest;
    std::uint32_t quarantined;
    std::uint32_t quarantined_bytes;
    BlockRef free_aligned;  // small blocks with a larger alignment, all classes
    Cursor tiny;            // payloads up to kMaxTiny
    Cursor medium;
    BlockRef free_small[kSmallClasses];
    BlockRef free_runs[kRunClasses];
  };
  static constexpr std::size_t kMaxTiny = 1024;
  static constexpr std::size_t kBitmapBytes = kSpanBytes / kGranule / 8;

  Region() = default;

  // small blocks
  BlockHeader* take_small(Arena& arena, std::size_t size, std::size_t alignment, bool& fresh);
  BlockHeader* take_aligned(Arena& arena, unsigned cls, std::size_t alignment);
  BlockHeader* cut_small(Arena& arena, unsigned cls, std::size_t alignment);
  std::uintptr_t new_span(Arena& arena);
  // runs
  BlockHeader* take_run(Arena& arena, std::size_t size, std::size_t alignment, bool& fresh);
  std::uint32_t cut_run(Arena& arena, std::size_t spans);  // first span; kNoSpan: no room
  BlockHeader* best_free_run(unsigned cls);
  BlockHeader* place_run(std::uint32_t first, unsigned cls, std::size_t alignment);
  [[nodiscard]] std::uint32_t first_span(const BlockHeader* run) const;
  // Whether freed runs may stay in memory: all there are need at most kKeptRunBytes, or twice what was live at once.
  [[nodiscard]] bool keeps_runs() const {
    const std::size_t bytes = std::size_t{cut_spans_} * kSpanBytes;
    return bytes <= kKeptRunBytes || cut_spans_ <= 2 * most_live_spans_;
  }
  // freed blocks
  void quarantine(BlockHeader* block);
  void retire_oldest(Arena& arena);
  void empty_quarantines();
  [[nodiscard]] BlockHeader* pop(BlockRef& list) const;
  void push(BlockRef& list, BlockHeader* block) const;

  Arena& arena_of(std::uint32_t thread);
  std::uint32_t shared_segments(std::size_t count, SegmentKind kind);  // first of them; 0: none left
  [[nodiscard]] SegmentKind kind_of(std::size_t segment) const;
  // Of small blocks: the last whose header begins in the address's span at or before it, the first that begins behind.
  static BlockHeader* last_up_to(std::uintptr_t address);
  static BlockHeader* first_behind(std::uintptr_t address);
  // What may be nearest to an address in no block; nullptr: none.
  struct Around {
    BlockHeader* blocks[3];  // by address
  };
  [[nodiscard]] Around small_blocks_around(std::uintptr_t address) const;
  [[nodiscard]] Around runs_around(std::uintptr_t address) const;
  [[nodiscard]] bool is_run(const BlockHeader* block) const;
  [[nodiscard]] std::size_t capacity(const BlockHeader* block) const;
  [[nodiscard]] std::size_t spans_per_segment() const { return (std::size_t{1} << segment_shift_) / kSpanBytes; }
  [[nodiscard]] BlockRef ref_of(const BlockHeader* block) const {
    return static_cast<BlockRef>((reinterpret_cast<std::uintptr_t>(block) - data_) / kGranule);
  }
  [[nodiscard]] BlockHeader* block_of(BlockRef ref) const {
    return reinterpret_cast<BlockHeader*>(data_ + std::uintptr_t{ref} * kGranule);
  }
  static std::uint64_t* bitmap_of(std::uintptr_t address) {
    return reinterpret_cast<std::uint64_t*>(address & ~(kSpanBytes - 1));
  }

  static constexpr std::uint32_t kNoSpan = ~0u;

  // What every allocation writes comes first, on one page.
  SpinLock lock_;
  std::uint32_t shared_used_;
  std::uint32_t cut_spans_;  // of all runs, live and freed
  std::uint32_t live_spans_;
  std::uint32_t most_live_spans_;
  std::uintptr_t data_;  // first segment; a multiple of the span's size
  std::size_t data_bytes_;
  std::size_t reserved_bytes_;
  unsigned segment_shift_;
  Segment segments_[kSegments];
  Arena arenas_[kArenas];
  alignas(kPageBytes) std::uint32_t allocations_[kCountedThreads];  // by thread
  alignas(kPageBytes) BlockRef run_of_[kRegionBytes / kSpanBytes];  // by span: the run it is part of
};

}  // namespace ravel::rt
