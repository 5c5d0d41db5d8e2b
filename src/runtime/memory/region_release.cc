// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Freed blocks: quarantine and lists. Links are kept in the headers, so the payload stays as the program left it (a
// use after free reads what it would have read) and a write to it does no harm here.
#include "runtime/memory/region.h"

namespace ravel::rt {

FreeResult Region::release(std::uintptr_t address, BlockInfo& info) {
  if (!contains(address)) return FreeResult::kForeign;
  BlockHeader* block = block_at(address);
  {
    const Locked locked(lock_);
    if (block == nullptr || block->block_state() != BlockState::kLive) {
      BlockHeader* around = block != nullptr ? block : find(address);
      if (around != nullptr) info = around->info();
      return FreeResult::kInvalid;
    }
    info = block->info();
    block->set_state(BlockState::kQuarantined);
    const bool run = is_run(block);
    if (run) live_spans_ -= static_cast<std::uint32_t>(run_spans(block->cls));
    if (!run || keeps_runs()) {
      quarantine(block);
      return FreeResult::kFreed;
    }
  }
  // Nobody else can reach the block now; the kernel is called without the lock.
  drop_pages(address, page_up(address + info.size));
  const Locked locked(lock_);
  quarantine(block);
  return FreeResult::kFreed;
}

namespace {
constexpr std::size_t kAlwaysFits = 64;  // too little to gain by moving
}

bool Region::resize_in_place(std::uintptr_t address, std::size_t size) {
  const Locked locked(lock_);
  BlockHeader* block = block_at(address);
  if (block == nullptr || block->block_state() != BlockState::kLive) return false;
  const std::size_t room = capacity(block);
  if (size > room || (size < room / 2 && room > kAlwaysFits)) return false;
  block->set_size(size);
  return true;
}

std::size_t Region::capacity(const BlockHeader* block) const {
  if (!is_run(block)) return small_bytes(block->cls);
  const std::uintptr_t start = data_ + std::uintptr_t{first_span(block)} * kSpanBytes;
  return start + run_spans(block->cls) * kSpanBytes - block->payload();
}

void Region::quarantine(BlockHeader* block) {
  Arena& arena = arena_of(block->thread);
  const BlockRef ref = ref_of(block);
  block->link = 0;
  if (arena.newest != 0)
    block_of(arena.newest)->link = ref;
  else
    arena.oldest = ref;
  arena.newest = ref;
  ++arena.quarantined;
  arena.quarantined_bytes += static_cast<std::uint32_t>(is_run(block) ? kPageBytes : small_bytes(block->cls));
  while (arena.quarantined > kQuarantineBlocks || arena.quarantined_bytes > kQuarantineBytes) retire_oldest(arena);
}

void Region::retire_oldest(Arena& arena) {
  BlockHeader* block = pop(arena.oldest);
  if (arena.oldest == 0) arena.newest = 0;
  --arena.quarantined;
  block->set_state(BlockState::kFree);
  if (is_run(block)) {
    arena.quarantined_bytes -= kPageBytes;
    push(arena.free_runs[block->cls], block);
    return;
  }
  arena.quarantined_bytes -= static_cast<std::uint32_t>(small_bytes(block->cls));
  push(block->aligned != 0 ? arena.free_aligned : arena.free_small[block->cls], block);
}

void Region::empty_quarantines() {
  for (Arena& arena : arenas_) {
    while (arena.oldest != 0) retire_oldest(arena);
  }
}

BlockHeader* Region::pop(BlockRef& list) const {
  if (list == 0) return nullptr;
  BlockHeader* block = block_of(list);
  list = block->link;
  if (list != 0) __builtin_prefetch(block_of(list), 1);  // the next one is wanted soon
  return block;
}

void Region::push(BlockRef& list, BlockHeader* block) const {
  block->link = list;
  list = ref_of(block);
}

}  // namespace ravel::rt
