// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The C allocation functions of the program, and of every library in its process. <cstdlib> is not included: its
// attributes (nonnull, malloc) would let the compiler drop checks or turn our own code into calls to itself.
#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "runtime/memory/heap.h"
#include "runtime/memory/size_classes.h"
#include "runtime/platform/pages.h"

namespace {

using ravel::rt::kGranule;
using ravel::rt::kPageBytes;

void* checked(void* result) {
  if (__builtin_expect(result == nullptr, 0)) errno = ENOMEM;
  return result;
}

bool is_power_of_two(std::size_t n) {
  return n != 0 && (n & (n - 1)) == 0;
}

void* aligned(std::size_t alignment, std::size_t size, std::uintptr_t pc) {
  return checked(ravel::rt::heap_allocate(size, alignment < kGranule ? kGranule : alignment, pc, false));
}

void* resized(void* pointer, std::size_t size, std::uintptr_t pc) {
  if (pointer == nullptr) return checked(ravel::rt::heap_allocate(size, kGranule, pc, false));
  if (size == 0) {
    ravel::rt::heap_free(pointer, pc);
    return nullptr;
  }
  return checked(ravel::rt::heap_reallocate(pointer, size, pc));
}

// glibc's layout of the two records; nobody can act on them here, so all fields are zero.
struct OldInfo {
  int fields[10];
};
struct NewInfo {
  std::size_t fields[10];
};

}  // namespace

#define CALLER reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))

#pragma GCC visibility push(default)
extern "C" {

void* malloc(std::size_t size) {
  return checked(ravel::rt::heap_allocate(size, kGranule, CALLER, false));
}

void free(void* pointer) {
  if (pointer != nullptr) ravel::rt::heap_free(pointer, CALLER);
}

void* calloc(std::size_t count, std::size_t each) {
  std::size_t size;
  if (__builtin_mul_overflow(count, each, &size)) return checked(nullptr);
  return checked(ravel::rt::heap_allocate(size, kGranule, CALLER, true));
}

void* realloc(void* pointer, std::size_t size) {
  return resized(pointer, size, CALLER);
}

void* reallocarray(void* pointer, std::size_t count, std::size_t each) {
  std::size_t size;
  if (__builtin_mul_overflow(count, each, &size)) return checked(nullptr);
  return resized(pointer, size, CALLER);
}

void* memalign(std::size_t alignment, std::size_t size) {
  // Like glibc: anything else is rounded up to a power of two.
  std::size_t power = kGranule;
  while (power < alignment && power != 0) power <<= 1;
  if (power == 0) {
    errno = EINVAL;
    return nullptr;
  }
  return aligned(power, size, CALLER);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) {
  if (!is_power_of_two(alignment)) {
    errno = EINVAL;
    return nullptr;
  }
  return aligned(alignment, size, CALLER);
}

int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  if (!is_power_of_two(alignment) || alignment % sizeof(void*) != 0) return EINVAL;
  const int before = errno;
  void* block = aligned(alignment, size, CALLER);
  errno = before;
  if (block == nullptr) return ENOMEM;
  *result = block;
  return 0;
}

void* valloc(std::size_t size) {
  return aligned(kPageBytes, size, CALLER);
}

void* pvalloc(std::size_t size) {
  if (size > SIZE_MAX - kPageBytes) return checked(nullptr);
  return aligned(kPageBytes, ravel::rt::page_up(size == 0 ? 1 : size), CALLER);
}

// As much as was asked for, not what the block could hold: else a program's use of the rest would be in no block.
std::size_t malloc_usable_size(void* pointer) {
  return pointer != nullptr ? ravel::rt::heap_size(pointer) : 0;
}

int malloc_trim(std::size_t) {
  return 0;
}
int mallopt(int, int) {
  return 1;
}
OldInfo mallinfo() {
  return {};
}
NewInfo mallinfo2() {
  return {};
}
void malloc_stats() {}

}  // extern "C"
#pragma GCC visibility pop
