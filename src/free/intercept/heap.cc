// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The heap of the C library and the operators of the C++ library, as without Ravel: the runtime of controlled mode has
// one for virtual threads, which would be one lock for all real ones.
#include <cerrno>
#include <cstddef>
#include <new>

#include "free/library.h"
#include "free/recorder.h"

extern "C" {
void* __libc_malloc(std::size_t) noexcept;
void* __libc_calloc(std::size_t, std::size_t) noexcept;
void* __libc_realloc(void*, std::size_t) noexcept;
void __libc_free(void*) noexcept;
}

using namespace ravel;
using namespace ravel::fr;

namespace {

// Recorded in runs that are traced: which block an address is in. A block is there before it is recorded, and recorded
// before it is given back: nobody else can have it in between.
inline FreeThread* traced() {
  return __builtin_expect((g_hooks & kHookTrace) != 0, 0) ? t_self : nullptr;
}

void* made(void* block, std::size_t size, std::uintptr_t pc) {
  FreeThread* const self = block != nullptr ? traced() : nullptr;
  if (self == nullptr) return block;
  constexpr std::size_t kMost = 0xffff'ffff;
  record(*self, OpKind::kHeapAlloc, reinterpret_cast<std::uintptr_t>(block),
         t_state.allocated_at != 0 ? t_state.allocated_at : pc,
         static_cast<std::uint32_t>(size < kMost ? size : kMost));
  return block;
}

void gone(void* block, std::uintptr_t pc) {
  FreeThread* const self = block != nullptr ? traced() : nullptr;
  if (self == nullptr) return;
  record(*self, OpKind::kHeapFree, reinterpret_cast<std::uintptr_t>(block),
         t_state.allocated_at != 0 ? t_state.allocated_at : pc);
}

void* resized(void* block, std::size_t size, std::uintptr_t pc) {
  if (traced() == nullptr) return __libc_realloc(block, size);
  const std::size_t before = block != nullptr ? library().malloc_usable_size(block) : 0;
  gone(block, pc);
  void* const moved = __libc_realloc(block, size);
  if (moved == nullptr && size != 0) made(block, before, pc);  // it stays
  return made(moved, size, pc);
}

}  // namespace

RAVEL_FREE_EXPORT void* malloc(std::size_t size) noexcept {
  return made(__libc_malloc(size), size, RAVEL_FREE_CALLER);
}
RAVEL_FREE_EXPORT void* calloc(std::size_t count, std::size_t size) noexcept {
  return made(__libc_calloc(count, size), count * size, RAVEL_FREE_CALLER);
}
RAVEL_FREE_EXPORT void* realloc(void* block, std::size_t size) noexcept {
  return resized(block, size, RAVEL_FREE_CALLER);
}
RAVEL_FREE_EXPORT void* reallocarray(void* block, std::size_t count, std::size_t size) noexcept {
  std::size_t bytes = 0;
  if (!__builtin_mul_overflow(count, size, &bytes)) return resized(block, bytes, RAVEL_FREE_CALLER);
  errno = ENOMEM;
  return nullptr;
}
RAVEL_FREE_EXPORT void free(void* block) noexcept {
  gone(block, RAVEL_FREE_CALLER);
  __libc_free(block);
}
RAVEL_FREE_EXPORT void cfree(void* block) noexcept {
  gone(block, RAVEL_FREE_CALLER);
  __libc_free(block);
}
RAVEL_FREE_EXPORT int posix_memalign(void** block, std::size_t alignment, std::size_t size) noexcept {
  const int error = library().posix_memalign(block, alignment, size);
  if (error == 0) made(*block, size, RAVEL_FREE_CALLER);
  return error;
}
RAVEL_FREE_EXPORT void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  return made(library().aligned_alloc(alignment, size), size, RAVEL_FREE_CALLER);
}
RAVEL_FREE_EXPORT void* memalign(std::size_t alignment, std::size_t size) noexcept {
  return made(library().memalign(alignment, size), size, RAVEL_FREE_CALLER);
}
RAVEL_FREE_EXPORT void* valloc(std::size_t size) noexcept {
  return made(library().valloc(size), size, RAVEL_FREE_CALLER);
}
RAVEL_FREE_EXPORT void* pvalloc(std::size_t size) noexcept {
  return made(library().pvalloc(size), size, RAVEL_FREE_CALLER);
}
RAVEL_FREE_EXPORT std::size_t malloc_usable_size(void* block) noexcept {
  return library().malloc_usable_size(block);
}

// The program's own mappings are blocks too.
RAVEL_FREE_EXPORT void* mmap(void* at, std::size_t size, int protection, int flags, int fd, long offset) noexcept {
  void* const block = library().mmap(at, size, protection, flags, fd, offset);
  return block == MAP_FAILED ? block : made(block, size, RAVEL_FREE_CALLER);
}
RAVEL_FREE_EXPORT int munmap(void* block, std::size_t size) noexcept {
  gone(block, RAVEL_FREE_CALLER);
  return library().munmap(block, size);
}

namespace {

// The place of operator new and delete is that of their call, also where the library's operator calls another one.
class CalledFrom {
 public:
  explicit CalledFrom(std::uintptr_t pc)
      : first_(__builtin_expect((g_hooks & kHookTrace) != 0, 0) && t_state.allocated_at == 0) {
    if (first_) t_state.allocated_at = pc;
  }
  ~CalledFrom() {
    if (first_) t_state.allocated_at = 0;
  }
  CalledFrom(const CalledFrom&) = delete;
  CalledFrom& operator=(const CalledFrom&) = delete;

 private:
  const bool first_;
};

}  // namespace

// The C++ library's own operators, which call each other by name: what the program has replaced is used.
#define OPERATOR(symbol, result, parameters, ...)                                          \
  RAVEL_FREE_EXPORT result ravel##symbol parameters __asm__(#symbol);                      \
  RAVEL_FREE_EXPORT result ravel##symbol parameters {                                      \
    static void* found = nullptr;                                                          \
    if (__builtin_expect(found == nullptr, 0)) found = ravel::fr::of_cxx_library(#symbol); \
    const CalledFrom from(RAVEL_FREE_CALLER);                                              \
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
