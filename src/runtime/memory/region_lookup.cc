// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// From an address to its block: arithmetic, and a backward scan of at most 64 words for small blocks (one or two as
// a rule).
#include "runtime/memory/region.h"

namespace ravel::rt {

Region::SegmentKind Region::kind_of(std::size_t segment) const {
  if (segment >= 2 * kArenas) return segments_[segment].kind;
  return segment % 2 == 0 ? SegmentKind::kSmall : SegmentKind::kRuns;
}

bool Region::is_run(const BlockHeader* block) const {
  return kind_of((reinterpret_cast<std::uintptr_t>(block) - data_) >> segment_shift_) == SegmentKind::kRuns;
}

BlockHeader* Region::last_up_to(std::uintptr_t address) {
  const std::uint64_t* bitmap = bitmap_of(address);
  const std::size_t granule = (address & (kSpanBytes - 1)) / kGranule;
  std::size_t word = granule / 64;
  std::uint64_t bits = bitmap[word] & (~std::uint64_t{0} >> (63 - granule % 64));
  while (bits == 0) {
    if (word-- == 0) return nullptr;
    bits = bitmap[word];
  }
  const std::size_t header = word * 64 + 63 - static_cast<std::size_t>(__builtin_clzll(bits));
  return reinterpret_cast<BlockHeader*>((address & ~(kSpanBytes - 1)) + header * kGranule);
}

BlockHeader* Region::find(std::uintptr_t address) const {
  const std::size_t offset = address - data_;
  if (offset >= data_bytes_) return nullptr;
  const std::size_t segment = offset >> segment_shift_;
  const std::size_t in_segment = offset & ((std::size_t{1} << segment_shift_) - 1);
  if (in_segment / kSpanBytes >= segments_[segment].used) return nullptr;  // also keeps untouched pages untouched

  BlockHeader* block = nullptr;
  if (kind_of(segment) == SegmentKind::kRuns) {
    const BlockRef ref = run_of_[offset / kSpanBytes];
    if (ref == 0) return nullptr;
    block = block_of(ref);
  } else {
    block = last_up_to(address);
    if (block == nullptr) return nullptr;
  }
  if (address - block->payload() >= block->size()) return nullptr;  // huge when it lies in the header
  return block;
}

BlockHeader* Region::block_at(std::uintptr_t address) const {
  if (!contains(address) || address % kGranule != 0) return nullptr;
  const std::uintptr_t header = address - sizeof(BlockHeader);
  if (header < data_) return nullptr;
  const std::size_t offset = header - data_;
  const std::size_t segment = offset >> segment_shift_;
  const std::size_t in_segment = offset & ((std::size_t{1} << segment_shift_) - 1);
  if (in_segment / kSpanBytes >= segments_[segment].used) return nullptr;
  BlockHeader* block = reinterpret_cast<BlockHeader*>(header);
  if (kind_of(segment) == SegmentKind::kRuns) return run_of_[offset / kSpanBytes] == ref_of(block) ? block : nullptr;
  const std::size_t granule = (header & (kSpanBytes - 1)) / kGranule;
  const bool is_start = (bitmap_of(header)[granule / 64] >> (granule % 64) & 1) != 0;
  return is_start ? block : nullptr;
}

}  // namespace ravel::rt
