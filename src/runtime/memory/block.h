// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What is known of a heap block: what the rest of the runtime sees (BlockInfo) and the 48 bytes that stand before each
// payload (BlockHeader).
#pragma once

#include <cstddef>
#include <cstdint>

namespace ravel::rt {

// Written by record/objects.cc, all zero in a fresh block: its object in the trace, valid in the execution `generation`
// only, and where it was allocated and freed (ContextId, LocationId).
struct ObjectSlot {
  std::uint32_t object;
  std::uint32_t generation;
  std::uint32_t allocated_context;
  std::uint32_t freed_context;
  std::uint32_t freed_location;
  std::uint32_t freed_by;  // thread
};

struct BlockInfo {
  std::uintptr_t base = 0;    // what malloc returned
  std::size_t size = 0;       // as requested
  std::uint32_t thread = 0;   // virtual thread that allocated it
  std::uint32_t ordinal = 0;  // its n-th allocation, from 1
  std::uintptr_t site = 0;    // return address of the call that allocated it
  bool live = false;          // false: freed, the memory not yet used again
  ObjectSlot* slot = nullptr;
};

// What an access to memory of the heap is.
enum class BlockUse : std::uint8_t {
  kInside,   // of one live block
  kFreed,    // begins in a freed block
  kOutside,  // some of it is in no block, or in another than its beginning
  kUnknown,  // nowhere near a block
};

enum class BlockState : std::uint8_t { kNone, kLive, kQuarantined, kFree };

struct BlockHeader {
  std::uint32_t link;  // list of freed blocks it is in (BlockRef); first span of the run while a run is live
  std::uint32_t size_low;
  std::uint64_t site : 48;
  std::uint64_t state : 2;
  std::uint64_t size_high : 6;
  std::uint64_t aligned : 1;  // was placed for a larger alignment than 16
  std::uint64_t cls : 7;      // size class, of small blocks or of runs
  std::uint32_t thread;
  std::uint32_t ordinal;
  ObjectSlot slot;

  [[nodiscard]] std::uintptr_t payload() const { return reinterpret_cast<std::uintptr_t>(this + 1); }
  [[nodiscard]] std::size_t size() const { return (std::size_t{size_high} << 32) | size_low; }
  void set_size(std::size_t size) {
    size_low = static_cast<std::uint32_t>(size);
    size_high = size >> 32;
  }
  [[nodiscard]] BlockState block_state() const { return static_cast<BlockState>(state); }
  void set_state(BlockState next) { state = static_cast<std::uint64_t>(next) & 3; }
  [[nodiscard]] BlockInfo info() {
    return {payload(), size(), thread, ordinal, site, block_state() == BlockState::kLive, &slot};
  }
};
static_assert(sizeof(BlockHeader) == 48);

}  // namespace ravel::rt
