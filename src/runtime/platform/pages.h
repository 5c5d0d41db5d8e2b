// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Memory from the kernel by bare system calls, and copying without libc: the heap is used before libc is ready, and
// libc's own functions may be intercepted.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ravel::rt {

inline constexpr std::size_t kPageBytes = 4096;

// Zeroed memory of which only touched pages cost anything, at `address` or, if that is taken, anywhere. nullptr:
// refused.
void* reserve_pages(std::uintptr_t address, std::size_t bytes);
void unreserve_pages(void* start, std::size_t bytes);
// The pages wholly inside [begin, end) read as zero again and cost nothing.
void drop_pages(std::uintptr_t begin, std::uintptr_t end);
// Copies up to `bytes` of memory that may end earlier (unmapped) without faulting.
void copy_what_is_mapped(void* to, const void* from, std::size_t bytes);
void yield_processor();

inline void copy_bytes(void* to, const void* from, std::size_t bytes) {
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}
inline void zero_bytes(void* to, std::size_t bytes) {
  asm volatile("rep stosb" : "+D"(to), "+c"(bytes) : "a"(0) : "memory");
}

constexpr std::uintptr_t page_up(std::uintptr_t address) {
  return (address + kPageBytes - 1) & ~(kPageBytes - 1);
}
constexpr std::uintptr_t page_down(std::uintptr_t address) {
  return address & ~(kPageBytes - 1);
}

}  // namespace ravel::rt
