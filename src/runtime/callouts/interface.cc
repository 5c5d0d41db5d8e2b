// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What a program may call itself: <sanitizer/tsan_interface.h>. Synchronisation that is declared here becomes
// acquire and release at that address; the calls about reports, tags and fibers have nothing to act on.
#include "runtime/callouts/call_out.h"

using namespace ravel::rt;

namespace {

constexpr unsigned kTryLockFailed = 1u << 5;  // __tsan_mutex_try_lock_failed

// Handles must differ from null; nothing is behind them.
char tag_handle;
char fiber_handle;

}  // namespace

CALL_OUT void __tsan_acquire(void* p) {
  if (watched()) annotate_acquire(address_of(p), CALLER);
}
CALL_OUT void __tsan_release(void* p) {
  if (watched()) annotate_release(address_of(p), CALLER);
}

// Locks of the program's own making. Their atomics are seen as well; these calls add the order the author promises.
CALL_OUT void __tsan_mutex_create(void*, unsigned) {}
CALL_OUT void __tsan_mutex_destroy(void*, unsigned) {}
CALL_OUT void __tsan_mutex_pre_lock(void*, unsigned) {}
CALL_OUT void __tsan_mutex_post_lock(void* p, unsigned flags, int) {
  if (watched() && (flags & kTryLockFailed) == 0) annotate_acquire(address_of(p), CALLER);
}
CALL_OUT int __tsan_mutex_pre_unlock(void* p, unsigned) {
  if (watched()) annotate_release(address_of(p), CALLER);
  return 0;
}
CALL_OUT void __tsan_mutex_post_unlock(void*, unsigned) {}
CALL_OUT void __tsan_mutex_pre_signal(void*, unsigned) {}
CALL_OUT void __tsan_mutex_post_signal(void*, unsigned) {}
CALL_OUT void __tsan_mutex_pre_divert(void*, unsigned) {}
CALL_OUT void __tsan_mutex_post_divert(void*, unsigned) {}

// Accesses inside another library, reported by its caller: the object's first byte stands for the object.
CALL_OUT void* __tsan_external_register_tag(const char*) {
  return &tag_handle;
}
CALL_OUT void __tsan_external_register_header(void*, const char*) {}
CALL_OUT void __tsan_external_assign_tag(void*, void*) {}
CALL_OUT void __tsan_external_read(void* p, void* caller_pc, void*) {
  if (watched()) plain_access(address_of(p), 1, false, address_of(caller_pc));
}
CALL_OUT void __tsan_external_write(void* p, void* caller_pc, void*) {
  if (watched()) plain_access(address_of(p), 1, true, address_of(caller_pc));
}

// Fibers of the program's own share the virtual thread they run on: every switch between them is in program order.
CALL_OUT void* __tsan_get_current_fiber() {
  return &fiber_handle;
}
CALL_OUT void* __tsan_create_fiber(unsigned) {
  return &fiber_handle;
}
CALL_OUT void __tsan_destroy_fiber(void*) {}
CALL_OUT void __tsan_switch_to_fiber(void*, unsigned) {}
CALL_OUT void __tsan_set_fiber_name(void*, const char*) {}

// Accesses in between are looked at all the same: they may be what breaks the program.
CALL_OUT void __tsan_ignore_thread_begin() {}
CALL_OUT void __tsan_ignore_thread_end() {}

CALL_OUT void __tsan_flush_memory() {}

// Questions about a report of the sanitizer, asked from its callbacks: there is never one. 0 is "no such thing".
CALL_OUT void* __tsan_get_current_report() {
  return nullptr;
}
CALL_OUT int __tsan_get_report_data(void*, const char**, int*, int*, int*, int*, int*, int*, int*, void**,
                                    unsigned long) {
  return 0;
}
CALL_OUT int __tsan_get_report_tag(void*, unsigned long*) {
  return 0;
}
CALL_OUT int __tsan_get_report_stack(void*, unsigned long, void**, unsigned long) {
  return 0;
}
CALL_OUT int __tsan_get_report_mop(void*, unsigned long, int*, void**, int*, int*, int*, void**, unsigned long) {
  return 0;
}
CALL_OUT int __tsan_get_report_loc(void*, unsigned long, const char**, void**, unsigned long*, unsigned long*, int*,
                                   int*, int*, void**, unsigned long) {
  return 0;
}
CALL_OUT int __tsan_get_report_loc_object_type(void*, unsigned long, const char**) {
  return 0;
}
CALL_OUT int __tsan_get_report_mutex(void*, unsigned long, unsigned long*, void**, int*, void**, unsigned long) {
  return 0;
}
CALL_OUT int __tsan_get_report_thread(void*, unsigned long, int*, unsigned long*, int*, const char**, int*, void**,
                                      unsigned long) {
  return 0;
}
CALL_OUT int __tsan_get_report_unique_tid(void*, unsigned long, int*) {
  return 0;
}
CALL_OUT const char* __tsan_locate_address(void*, char* name, unsigned long name_size, void** start,
                                           unsigned long* size) {
  if (name != nullptr && name_size != 0) *name = 0;
  if (start != nullptr) *start = nullptr;
  if (size != nullptr) *size = 0;
  return "";
}
CALL_OUT int __tsan_get_alloc_stack(void*, void**, unsigned long, int*, unsigned long*) {
  return 0;
}
