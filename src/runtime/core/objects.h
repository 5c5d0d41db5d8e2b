// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Data addresses as (object, offset): the object table of the execution is filled on first use. Objects have names that
// do not depend on where memory happens to lie: module data, heap block (allocating thread, its n-th allocation, site),
// stack and thread-local storage of a thread.
#pragma once

#include <cstdint>

#include "model/event.h"

namespace ravel::rt {

struct VirtualThread;

struct Place {
  ObjectId object = 0;
  std::uint32_t offset = 0;
};

// Reserves the entries for modules; before the first event of an execution.
void begin_objects();

Place place_of_address(std::uintptr_t address);

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
bool on_own_stack(std::uintptr_t address);

}  // namespace ravel::rt
