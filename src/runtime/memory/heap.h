// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The one heap of the tested process. Made by the first call, whoever makes it (ld.so, as a rule); plain globals, no
// constructor. `pc` is the return address of the program's call.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/memory/block.h"
#include "runtime/platform/hidden.h"

namespace ravel::rt {

// Blocks and book-keeping lie in [kHeapAddress, kHeapAddress + kHeapBytes) unless that was taken by somebody else.
inline constexpr std::uintptr_t kHeapAddress = 0x510000000000;
inline constexpr std::size_t kHeapBytes = (std::size_t{64} << 30) + (std::size_t{16} << 20);

// Where the blocks are. Empty before the first allocation.
struct HeapRange {
  std::uintptr_t begin;
  std::size_t bytes;
};
RAVEL_HIDDEN extern HeapRange g_heap_range;
inline bool in_heap(std::uintptr_t address) {
  return address - g_heap_range.begin < g_heap_range.bytes;
}

// The last allocation failed by an injected fault: to try again would hide it.
extern bool g_alloc_refused;

// nullptr when there is no room; errno is the caller's business.
void* heap_allocate(std::size_t size, std::size_t alignment, std::uintptr_t pc, bool zero);
void heap_free(void* pointer, std::uintptr_t pc);
// As realloc with a pointer and a size that are not null; the old block stays when there is no room.
void* heap_reallocate(void* pointer, std::size_t size, std::uintptr_t pc);
// Bytes requested; 0 for what is not a live block of ours.
std::size_t heap_size(const void* pointer);

// The block, live or freed, that contains `address`; false: none. No lock, no allocation.
bool find_block(std::uintptr_t address, BlockInfo& out);
// An access to [address, address + size), and the block it is about: where it begins in none, the nearest one.
BlockUse use_of_heap(std::uintptr_t address, std::size_t size, BlockInfo& out);

// Address ranges that hold all of the heap's memory that was ever written; `visit(argument, begin, end)` for each.
void visit_heap(void (*visit)(void*, std::uintptr_t, std::uintptr_t), void* argument);

}  // namespace ravel::rt
