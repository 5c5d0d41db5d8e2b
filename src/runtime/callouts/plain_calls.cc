// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Plain accesses: the compiler calls these right before the access. Functions of both compilers and of all their
// options.
#include "runtime/callouts/call_out.h"
#include "runtime/callouts/call_out_lists.h"

using ravel::rt::address_of;
using ravel::rt::g_watch;
using ravel::rt::range_access;
using ravel::rt::watched;

namespace {

// An access that was recorded before needs no more than this.
template <unsigned kBytes, bool kWrite>
__attribute__((always_inline)) inline void look(const volatile void* p, std::uintptr_t pc) {
  const std::uintptr_t address = address_of(p);
  if (__builtin_expect(!ravel::rt::is_filtered(address), 0)) {
    ravel::rt::plain_access_of<kBytes, kWrite, false>(address, pc);
  } else if (__builtin_expect(!ravel::rt::is_quiet_access(address, kBytes, kWrite), 0)) {
    ravel::rt::plain_access_of<kBytes, kWrite, true>(address, pc);
  }
}

}  // namespace

// A branch that is taken costs more than one that is not, so the way through look() is straight.
#define PLAIN_CALL_OUT(name, width, write)                           \
  CALL_OUT void name(void* p) {                                      \
    if (__builtin_expect(g_watch, 1)) look<width, write>(p, CALLER); \
  }
#define PLAIN_CALL_OUT_PC(name, width, write)                                \
  CALL_OUT void name(void* p, void* pc) {                                    \
    if (__builtin_expect(g_watch, 1)) look<width, write>(p, address_of(pc)); \
  }

#define VOLATILE_CALL_OUT(name, width, write)                                                          \
  CALL_OUT void name(void* p) {                                                                        \
    if (__builtin_expect(g_watch, 0)) ravel::rt::volatile_access(address_of(p), width, write, CALLER); \
  }

FOR_EACH_WIDTH(PLAIN_FAMILY)

CALL_OUT void __tsan_read_range(void* p, unsigned long size) {
  if (watched()) range_access(address_of(p), size, false, CALLER);
}
CALL_OUT void __tsan_write_range(void* p, unsigned long size) {
  if (watched()) range_access(address_of(p), size, true, CALLER);
}
CALL_OUT void __tsan_read_range_pc(void* p, unsigned long size, void* pc) {
  if (watched()) range_access(address_of(p), size, false, address_of(pc));
}
CALL_OUT void __tsan_write_range_pc(void* p, unsigned long size, void* pc) {
  if (watched()) range_access(address_of(p), size, true, address_of(pc));
}

// Constructors and destructors of a hierarchy set the same pointer again and again: only a change is a write.
CALL_OUT void __tsan_vptr_update(void** vptr, void* value) {
  if (watched() && *vptr != value) look<sizeof(void*), true>(vptr, CALLER);
}
CALL_OUT void __tsan_vptr_read(void** vptr) {
  if (watched()) look<sizeof(void*), false>(vptr, CALLER);
}

CALL_OUT void* __tsan_memcpy(void* to, const void* from, unsigned long size) {
  if (watched()) {
    range_access(address_of(from), size, false, CALLER);
    range_access(address_of(to), size, true, CALLER);
  }
  return __builtin_memcpy(to, from, size);
}
CALL_OUT void* __tsan_memmove(void* to, const void* from, unsigned long size) {
  if (watched()) {
    range_access(address_of(from), size, false, CALLER);
    range_access(address_of(to), size, true, CALLER);
  }
  return __builtin_memmove(to, from, size);
}
CALL_OUT void* __tsan_memset(void* to, int value, unsigned long size) {
  if (watched()) range_access(address_of(to), size, true, CALLER);
  return __builtin_memset(to, value, size);
}

CALL_OUT void __tsan_init() {
  ++ravel::rt::g_callouts;
}
CALL_OUT void __tsan_func_entry(void* caller) {
  ++ravel::rt::g_callouts;
  ravel::rt::func_entry(address_of(caller), address_of(__builtin_frame_address(0)),
                        address_of(__builtin_return_address(0)));
}
CALL_OUT void __tsan_func_exit() {
  ravel::rt::func_exit(address_of(__builtin_frame_address(0)), address_of(__builtin_return_address(0)));
}
