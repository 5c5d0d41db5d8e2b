// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What an access is about. Of an address in no block: which one was meant? The nearest; asked when an execution ends
// there.
#include "runtime/memory/region.h"

namespace ravel::rt {

namespace {

constexpr std::uintptr_t kFar = std::uintptr_t{1} << 20;  // nobody means a block that far away

// From an address outside of the payload to its nearest byte, or to where it would be.
std::uintptr_t distance(const BlockHeader& block, std::uintptr_t address) {
  if (address < block.payload()) return block.payload() - address;
  return address - (block.payload() + block.size()) + 1;
}

}  // namespace

BlockHeader* Region::first_behind(std::uintptr_t address) {
  const std::uint64_t* bitmap = bitmap_of(address);
  for (std::size_t granule = (address & (kSpanBytes - 1)) / kGranule + 1; granule < kSpanBytes / kGranule; ++granule) {
    if ((bitmap[granule / 64] >> (granule % 64) & 1) == 0) continue;
    return reinterpret_cast<BlockHeader*>((address & ~(kSpanBytes - 1)) + granule * kGranule);
  }
  return nullptr;
}

Region::Around Region::small_blocks_around(std::uintptr_t address) const {
  const std::size_t segment = (address - data_) >> segment_shift_;
  const std::uintptr_t begin = data_ + (std::uintptr_t{segment} << segment_shift_);
  const std::uintptr_t end = begin + std::uintptr_t{segments_[segment].used} * kSpanBytes;
  const std::uintptr_t span = address & ~(kSpanBytes - 1);
  Around around = {{nullptr, last_up_to(address), first_behind(address)}};
  BlockHeader*& before = around.blocks[0];
  if (around.blocks[1] != nullptr) before = last_up_to(reinterpret_cast<std::uintptr_t>(around.blocks[1]) - 1);
  if (before == nullptr && span > begin) before = last_up_to(span - 1);
  if (around.blocks[2] == nullptr && span + kSpanBytes < end) around.blocks[2] = first_behind(span + kSpanBytes);
  return around;
}

Region::Around Region::runs_around(std::uintptr_t address) const {
  std::size_t last = (address - data_) / kSpanBytes;
  std::size_t first = last;
  const BlockRef ref = run_of_[first];
  if (ref == 0) return {};
  while (first > 0 && run_of_[first - 1] == ref) --first;
  while (last + 1 < data_bytes_ / kSpanBytes && run_of_[last + 1] == ref) ++last;
  const auto run = [this](BlockRef of) { return of == 0 ? nullptr : block_of(of); };
  return {{run(first > 0 ? run_of_[first - 1] : 0), run(ref),
           run(last + 1 < data_bytes_ / kSpanBytes ? run_of_[last + 1] : 0)}};
}

BlockHeader* Region::nearest(std::uintptr_t address) const {
  const std::size_t offset = address - data_;
  if (offset >= data_bytes_) return nullptr;
  BlockHeader* found = nullptr;
  const auto look_around = [&](std::uintptr_t place) {
    const bool runs = kind_of((place - data_) >> segment_shift_) == SegmentKind::kRuns;
    for (BlockHeader* block : (runs ? runs_around(place) : small_blocks_around(place)).blocks) {
      if (block == nullptr) continue;
      if (found == nullptr || distance(*block, address) < distance(*found, address)) found = block;
    }
  };
  const std::size_t segment = offset >> segment_shift_;
  const std::uintptr_t begin = data_ + (std::uintptr_t{segment} << segment_shift_);
  const std::uintptr_t used = std::uintptr_t{segments_[segment].used} * kSpanBytes;
  if (used != 0) look_around(address - begin < used ? address : begin + used - 1);
  if (address - begin >= used && segment + 1 < kSegments && segments_[segment + 1].used != 0) {
    look_around(begin + (std::uintptr_t{1} << segment_shift_));
  }
  if (found == nullptr || distance(*found, address) > kFar) return nullptr;
  return found;
}

BlockUse Region::use_of(std::uintptr_t address, std::size_t size, BlockInfo& out) const {
  BlockHeader* block = find(address);
  const bool begins_inside = block != nullptr;
  if (!begins_inside) block = nearest(address);
  if (block == nullptr) return BlockUse::kUnknown;
  out = block->info();
  if (!begins_inside) return BlockUse::kOutside;
  if (!out.live) return BlockUse::kFreed;
  return size <= out.size - (address - out.base) ? BlockUse::kInside : BlockUse::kOutside;
}

}  // namespace ravel::rt
