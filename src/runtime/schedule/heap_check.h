// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Use of freed heap memory, of heap memory that belongs to no block, and of what was on the stack of another thread
// (stack_check.h). Looked for right before an operation of the program touches memory; what malloc has given out again
// is not freed any more, so a use is seen as long as the block is in quarantine.
#pragma once

#include <cstdint>

#include "model/event.h"
#include "runtime/memory/heap.h"
#include "runtime/record/objects.h"
#include "runtime/schedule/stack_check.h"

namespace ravel::rt {

// Ends the execution if the block is freed, or if some of [address, address + size) is not in it.
void look_at_block(std::uintptr_t address, OpKind kind, std::uint32_t size, LocationId location);

// The address is in a block that was freed.
[[nodiscard]] bool is_in_freed_block(std::uintptr_t address);
[[nodiscard]] inline bool is_freed(std::uintptr_t address) {
  return __builtin_expect(in_heap(address), 0) && !is_recent(address) && is_in_freed_block(address);
}

inline void check_alive(std::uintptr_t address, OpKind kind, std::uint32_t size, LocationId location) {
  if (__builtin_expect(in_heap(address), 0)) {
    if (!is_recent(address, size)) look_at_block(address, kind, size, location);
  } else if (__builtin_expect(in_stacks(address) && !on_own_stack(address), 0)) {
    look_for_left_frame(address, kind, size, location);
  }
}

[[noreturn]] void finish_double_free(const BlockInfo& block, LocationId location);

}  // namespace ravel::rt
