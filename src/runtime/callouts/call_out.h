// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// How call-outs are written: exported C functions whose first instruction tests g_watch, since with one thread nothing
// needs to be looked at. CALLER is the program's location; it must be taken in the exported function itself.
#pragma once

#include <cstdint>

#include "runtime/access/access_api.h"
#include "runtime/record/access_filter.h"

#define CALLER reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))
#define CALL_OUT extern "C" __attribute__((visibility("default")))

namespace ravel::rt {

inline bool watched() {
  return __builtin_expect(g_watch, 0);
}

inline std::uintptr_t address_of(const volatile void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

// The size of an event has 16 bits: long ranges are several events.
inline constexpr std::uint64_t kLongestAccess = 1u << 15;

inline void range_access(std::uintptr_t address, std::uint64_t size, bool write, std::uintptr_t pc) {
  while (size > 0) {
    const std::uint64_t part = size > 0xffff ? kLongestAccess : size;
    plain_access(address, static_cast<std::uint32_t>(part), write, pc);
    address += part;
    size -= part;
  }
}

}  // namespace ravel::rt
