// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Plain accesses: the compiler calls these right before the access. One that nobody looks at costs one increment
// of the thread's own counter.
#include "free/access.h"
#include "free/call_stack.h"
#include "runtime/callouts/call_out_lists.h"

using namespace ravel;
using namespace ravel::fr;

namespace {

// Apart, so that the way of an access that nobody asks for has no stack frame.
template <bool writes, bool is_volatile>
__attribute__((noinline, cold)) void hook(FreeThread& self, const volatile void* p, std::uint64_t size,
                                          std::uintptr_t pc) {
  hook_access(self, {reinterpret_cast<std::uintptr_t>(p), size, pc, writes, is_volatile});
}

template <bool writes, bool is_volatile = false>
__attribute__((always_inline)) inline void look(const volatile void* p, std::uint64_t size, std::uintptr_t pc) {
  FreeThread* self = t_self;
  if (__builtin_expect(self == nullptr, 0)) return;
  if (__builtin_expect(++self->accesses >= self->look_at, 0)) hook<writes, is_volatile>(*self, p, size, pc);
}

}  // namespace

#define PLAIN_CALL_OUT(name, width, writes)    \
  RAVEL_FREE_EXPORT void name(void* p) {       \
    look<writes>(p, width, RAVEL_FREE_CALLER); \
  }
#define PLAIN_CALL_OUT_PC(name, width, writes)                    \
  RAVEL_FREE_EXPORT void name(void* p, void* pc) {                \
    look<writes>(p, width, reinterpret_cast<std::uintptr_t>(pc)); \
  }
#define VOLATILE_CALL_OUT(name, width, writes)       \
  RAVEL_FREE_EXPORT void name(void* p) {             \
    look<writes, true>(p, width, RAVEL_FREE_CALLER); \
  }
FOR_EACH_WIDTH(PLAIN_FAMILY)

RAVEL_FREE_EXPORT void __tsan_read_range(void* p, unsigned long size) {
  look<false>(p, size, RAVEL_FREE_CALLER);
}
RAVEL_FREE_EXPORT void __tsan_write_range(void* p, unsigned long size) {
  look<true>(p, size, RAVEL_FREE_CALLER);
}
RAVEL_FREE_EXPORT void __tsan_vptr_update(void** vptr, void* value) {
  if (*vptr != value) look<true>(vptr, sizeof *vptr, RAVEL_FREE_CALLER);
}
RAVEL_FREE_EXPORT void __tsan_vptr_read(void** vptr) {
  look<false>(vptr, sizeof *vptr, RAVEL_FREE_CALLER);
}
RAVEL_FREE_EXPORT void* __tsan_memcpy(void* to, const void* from, unsigned long size) {
  look<false>(from, size, RAVEL_FREE_CALLER);
  look<true>(to, size, RAVEL_FREE_CALLER);
  return __builtin_memcpy(to, from, size);
}
RAVEL_FREE_EXPORT void* __tsan_memmove(void* to, const void* from, unsigned long size) {
  look<false>(from, size, RAVEL_FREE_CALLER);
  look<true>(to, size, RAVEL_FREE_CALLER);
  return __builtin_memmove(to, from, size);
}
RAVEL_FREE_EXPORT void* __tsan_memset(void* to, int value, unsigned long size) {
  look<true>(to, size, RAVEL_FREE_CALLER);
  return __builtin_memset(to, value, size);
}

RAVEL_FREE_EXPORT void __tsan_init() {}
RAVEL_FREE_EXPORT void __tsan_func_entry(void* from) {
  if (__builtin_expect((g_hooks & kHookTrace) != 0, 0)) {
    enter_call(reinterpret_cast<std::uintptr_t>(from), RAVEL_FREE_CALLER);
  }
}
RAVEL_FREE_EXPORT void __tsan_func_exit() {
  if (__builtin_expect((g_hooks & kHookTrace) != 0, 0)) leave_call();
}
