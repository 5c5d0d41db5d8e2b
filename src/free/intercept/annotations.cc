// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Synchronisation that code says itself, in the words of the thread sanitizer: libstdc++ does for std::atomic of
// std::shared_ptr. Recorded in runs that are traced.
#include "free/intercept/lock_calls.h"

using namespace ravel;
using namespace ravel::fr;

namespace {

constexpr unsigned kTryLockFailed = 1u << 5;  // __tsan_mutex_try_lock_failed

// Beside the address itself, where atomics have an order of their own.
void note(const void* p, bool gives, std::uintptr_t pc) {
  FreeThread* const self = (g_hooks & kHookTrace) != 0 ? synchronising() : nullptr;
  if (self != nullptr) record(*self, gives ? OpKind::kSemPost : OpKind::kSemWait, address_of(p) + 1, pc);
}

}  // namespace

RAVEL_FREE_EXPORT void __tsan_acquire(void* p) {
  note(p, false, RAVEL_FREE_CALLER);
}
RAVEL_FREE_EXPORT void __tsan_release(void* p) {
  note(p, true, RAVEL_FREE_CALLER);
}
RAVEL_FREE_EXPORT void __tsan_mutex_post_lock(void* p, unsigned flags, int) {
  if ((flags & kTryLockFailed) == 0) note(p, false, RAVEL_FREE_CALLER);
}
RAVEL_FREE_EXPORT int __tsan_mutex_pre_unlock(void* p, unsigned) {
  note(p, true, RAVEL_FREE_CALLER);
  return 0;
}
