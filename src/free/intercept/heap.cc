// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The heap of the C library and the operators of the C++ library, as without Ravel: the runtime of controlled mode has
// one for virtual threads, which would be one lock for all real ones.
#include <cerrno>
#include <cstddef>
#include <new>

#include "free/library.h"
#include "free/state.h"

extern "C" {
void* __libc_malloc(std::size_t) noexcept;
void* __libc_calloc(std::size_t, std::size_t) noexcept;
void* __libc_realloc(void*, std::size_t) noexcept;
void __libc_free(void*) noexcept;
}

using ravel::fr::library;

RAVEL_FREE_EXPORT void* malloc(std::size_t size) noexcept {
  return __libc_malloc(size);
}
RAVEL_FREE_EXPORT void* calloc(std::size_t count, std::size_t size) noexcept {
  return __libc_calloc(count, size);
}
RAVEL_FREE_EXPORT void* realloc(void* block, std::size_t size) noexcept {
  return __libc_realloc(block, size);
}
RAVEL_FREE_EXPORT void* reallocarray(void* block, std::size_t count, std::size_t size) noexcept {
  std::size_t bytes = 0;
  if (!__builtin_mul_overflow(count, size, &bytes)) return __libc_realloc(block, bytes);
  errno = ENOMEM;
  return nullptr;
}
RAVEL_FREE_EXPORT void free(void* block) noexcept {
  __libc_free(block);
}
RAVEL_FREE_EXPORT void cfree(void* block) noexcept {
  __libc_free(block);
}
RAVEL_FREE_EXPORT int posix_memalign(void** block, std::size_t alignment, std::size_t size) noexcept {
  return library().posix_memalign(block, alignment, size);
}
RAVEL_FREE_EXPORT void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return library().aligned_alloc(alignment, size);
}
RAVEL_FREE_EXPORT void* memalign(std::size_t alignment, std::size_t size) noexcept {
  return library().memalign(alignment, size);
}
RAVEL_FREE_EXPORT void* valloc(std::size_t size) noexcept {
  return library().valloc(size);
}
RAVEL_FREE_EXPORT void* pvalloc(std::size_t size) noexcept {
  return library().pvalloc(size);
}
RAVEL_FREE_EXPORT std::size_t malloc_usable_size(void* block) noexcept {
  return library().malloc_usable_size(block);
}

// The C++ library's own operators, which call each other by name: what the program has replaced is used.
#define OPERATOR(symbol, result, parameters, ...)                                          \
  RAVEL_FREE_EXPORT result ravel##symbol parameters __asm__(#symbol);                      \
  RAVEL_FREE_EXPORT result ravel##symbol parameters {                                      \
    static void* found = nullptr;                                                          \
    if (__builtin_expect(found == nullptr, 0)) found = ravel::fr::of_cxx_library(#symbol); \
    return reinterpret_cast<result(*) parameters>(found)(__VA_ARGS__);                     \
  }
using Tag = const std::nothrow_t&;
OPERATOR(_Znwm, void*, (std::size_t n), n)
OPERATOR(_Znam, void*, (std::size_t n), n)
OPERATOR(_ZnwmRKSt9nothrow_t, void*, (std::size_t n, Tag t), n, t)
OPERATOR(_ZnamRKSt9nothrow_t, void*, (std::size_t n, Tag t), n, t)
OPERATOR(_ZnwmSt11align_val_t, void*, (std::size_t n, std::size_t a), n, a)
OPERATOR(_ZnamSt11align_val_t, void*, (std::size_t n, std::size_t a), n, a)
OPERATOR(_ZnwmSt11align_val_tRKSt9nothrow_t, void*, (std::size_t n, std::size_t a, Tag t), n, a, t)
OPERATOR(_ZnamSt11align_val_tRKSt9nothrow_t, void*, (std::size_t n, std::size_t a, Tag t), n, a, t)
OPERATOR(_ZdlPv, void, (void* p), p)
OPERATOR(_ZdaPv, void, (void* p), p)
OPERATOR(_ZdlPvm, void, (void* p, std::size_t n), p, n)
OPERATOR(_ZdaPvm, void, (void* p, std::size_t n), p, n)
OPERATOR(_ZdlPvRKSt9nothrow_t, void, (void* p, Tag t), p, t)
OPERATOR(_ZdaPvRKSt9nothrow_t, void, (void* p, Tag t), p, t)
OPERATOR(_ZdlPvSt11align_val_t, void, (void* p, std::size_t a), p, a)
OPERATOR(_ZdaPvSt11align_val_t, void, (void* p, std::size_t a), p, a)
OPERATOR(_ZdlPvmSt11align_val_t, void, (void* p, std::size_t n, std::size_t a), p, n, a)
OPERATOR(_ZdaPvmSt11align_val_t, void, (void* p, std::size_t n, std::size_t a), p, n, a)
OPERATOR(_ZdlPvSt11align_val_tRKSt9nothrow_t, void, (void* p, std::size_t a, Tag t), p, a, t)
OPERATOR(_ZdaPvSt11align_val_tRKSt9nothrow_t, void, (void* p, std::size_t a, Tag t), p, a, t)
