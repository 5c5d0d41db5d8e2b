// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The one heap of the tested process. Made by the first call, whoever makes it (ld.so, as a rule); plain globals, no
// constructor. `pc` is the return address of the program's call.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/memory/block.h"

namespace ravel::rt {

// nullptr when there is no room; errno is the caller's business.
void* heap_allocate(std::size_t size, std::size_t alignment, std::uintptr_t pc, bool zero);
void heap_free(void* pointer, std::uintptr_t pc);
// As realloc with a pointer and a size that are not null; the old block stays when there is no room.
void* heap_reallocate(void* pointer, std::size_t size, std::uintptr_t pc);
// Bytes requested; 0 for what is not a live block of ours.
std::size_t heap_size(const void* pointer);

// The block, live or freed, that contains `address`; false: none. No lock, no allocation.
bool find_block(std::uintptr_t address, BlockInfo& out);

// The memory that holds all blocks and all book-keeping: what a snapshot has to include. Empty before first use.
struct HeapExtent {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};
HeapExtent heap_extent();

// In the child of a fork, if other OS threads lived in the parent.
void heap_after_fork();

}  // namespace ravel::rt
