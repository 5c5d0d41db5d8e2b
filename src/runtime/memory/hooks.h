// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Where the heap meets the rest of the runtime. Core defines the hooks; hooks.cc has weak ones that do nothing, for
// tests. They are called without the heap's lock and may switch threads. They run from the very first allocation on,
// before any constructor.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/memory/block.h"

namespace ravel::rt {

// Index of the virtual thread that runs; 0 before there are any.
unsigned heap_thread_index();
// True: the allocation fails, as if there were no room.
bool refuse_alloc(std::uintptr_t pc);
void on_alloc(const BlockInfo& block);
// A block has another size now, at the same place.
void on_resize(std::uintptr_t address, std::size_t before, std::size_t now);
// Nothing has been done yet; other threads may run in the meantime.
void before_free(std::uintptr_t address, std::uintptr_t pc);
// Before the memory can be used again; the block is freed already (`block` describes it as it was before).
void on_free(const BlockInfo& block, std::uintptr_t pc);
// A pointer into the heap that is not the start of a live block was freed. block.base == 0: it lies in no block at all.
// The call has no effect when this returns.
void on_invalid_free(const BlockInfo& block, std::uintptr_t address, std::uintptr_t pc);

}  // namespace ravel::rt
