// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Data addresses as (object, offset): the object table of the execution is filled on first use. Objects have names that
// do not depend on where memory happens to lie: module data, heap block (allocating thread, its n-th allocation, site),
// stack and thread-local storage of a thread.
#pragma once

#include <cstdint>

#include "model/event.h"
#include "runtime/memory/block.h"
#include "runtime/platform/hidden.h"
#include "runtime/state/state.h"

namespace ravel::rt {

struct Place {
  ObjectId object = 0;
  std::uint32_t offset = 0;
};

// Reserves the entries for modules; before the first event of an execution.
void begin_objects();

// The objects that were looked up last, by stretches of 64 bytes: most accesses go to one of them. Forgotten when an
// address may belong to another object from now on, or to none: memory was allocated, freed or resized, a stack got
// another thread. So a block of the heap that is found here is alive.
struct alignas(32) RecentObject {
  std::uintptr_t base = 0;
  std::uintptr_t bytes = 0;  // 0: forgotten
  ObjectId object = 0;
};
inline constexpr std::uintptr_t kRecentObjects = 64;
inline constexpr unsigned kRecentShift = 6;
RAVEL_HIDDEN extern RecentObject g_recent_objects[kRecentObjects];

inline RecentObject& recent_object(std::uintptr_t address) {
  // [(address >> kRecentShift) % kRecentObjects], in fewer instructions.
  constexpr unsigned kSizeShift = 5;
  static_assert(sizeof(RecentObject) == 1 << kSizeShift);
  char* const table = reinterpret_cast<char*>(g_recent_objects);
  constexpr std::uintptr_t kMask = (kRecentObjects - 1) << kSizeShift;
  return *reinterpret_cast<RecentObject*>(table + (address >> (kRecentShift - kSizeShift) & kMask));
}
inline bool is_recent(std::uintptr_t address) {
  const RecentObject& recent = recent_object(address);
  return address - recent.base < recent.bytes;
}
// The same for all of [address, address + size).
inline bool is_recent(std::uintptr_t address, std::uintptr_t size) {
  const RecentObject& recent = recent_object(address);
  const std::uintptr_t offset = address - recent.base;
  return offset < recent.bytes && size <= recent.bytes - offset;
}
inline void forget(RecentObject& recent) {
  if (recent.bytes != 0) recent.bytes = 0;  // what is not written need not be put back
}
inline void forget_recent_objects() {
  for (RecentObject& recent : g_recent_objects) forget(recent);
}
// What is known of addresses in [begin, begin + bytes): the entries of its stretches, which are all if it is large.
inline void forget_recent_objects(std::uintptr_t begin, std::uintptr_t bytes) {
  const std::uintptr_t last = (begin + bytes - (bytes != 0)) >> kRecentShift;
  if (last - (begin >> kRecentShift) >= kRecentObjects) return forget_recent_objects();
  for (std::uintptr_t at = begin >> kRecentShift; at <= last; ++at) forget(recent_object(at << kRecentShift));
}
// A thread moves into a slot.
void forget_recent_objects_of_slot(std::uint32_t slot);

Place look_up_address(std::uintptr_t address);
// The address is in that block, which is alive. If the block has a name in the trace, the next look at it is short.
void remember_block(const BlockInfo& block, std::uintptr_t address);
inline Place place_of_address(std::uintptr_t address) {
  const RecentObject& recent = recent_object(address);
  const std::uintptr_t offset = address - recent.base;
  if (offset < recent.bytes) return {recent.object, static_cast<std::uint32_t>(offset)};
  return look_up_address(address);
}

inline std::uint64_t packed(Place place) {
  return (std::uint64_t{place.object} << 32) | place.offset;
}

// Descriptors and signals have no memory that could name them: each channel (model/tables.h) stands at an address that
// no memory can have.
inline constexpr std::uintptr_t kChannelBase = std::uintptr_t{0xfff0} << 48;
inline constexpr unsigned kChannelShift = 20;
inline constexpr std::uintptr_t channel_address(std::uint32_t ordinal, std::uint32_t offset = 0) {
  return kChannelBase + (std::uintptr_t{ordinal} << kChannelShift) + offset;
}

// Memory on the stack of the thread that is running.
inline bool on_own_stack(std::uintptr_t address) {
  return address - g.current->stack_low < g.current->stack_bytes;
}

}  // namespace ravel::rt
