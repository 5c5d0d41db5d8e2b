// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// How the calls on locks are written. A lock that is free is taken by the try form, so that only a thread that has to
// wait shows what it waits for.
#pragma once

#include <errno.h>

#include "free/gate.h"
#include "free/library.h"
#include "free/observer.h"
#include "free/recorder.h"

namespace ravel::fr {

inline std::uint64_t address_of(const volatile void* p) {
  return reinterpret_cast<std::uintptr_t>(p);
}

// What a try form says when the lock was taken.
struct LockCall {
  OpKind kind;
  const volatile void* object;
  std::uintptr_t pc;
};

// A robust mutex whose owner has ended is the caller's, with an error that says so.
inline bool has_taken(int error) {
  return error == 0 || error == EOWNERDEAD;
}

template <class Try, class Lock>
int lock_with(const LockCall& call, bool timed, Try try_lock, Lock lock) {
  FreeThread* self = synchronising();
  if (self == nullptr) return lock();
  before_sync(call.pc);
  int error = try_lock();
  // Asked again, the C library would wait for ever for a mutex that it has just called beyond recovery.
  const bool waits_for_it = !has_taken(error) && error != ENOTRECOVERABLE;
  if (waits_for_it) {
    const Waits waits(*self, call.kind, address_of(call.object), call.pc, timed);
    error = lock();
  }
  if (has_taken(error)) {
    record(*self, call.kind, address_of(call.object), call.pc, 0, waits_for_it ? kHadToWait : 0);
    if ((g_hooks & kHookObserve) != 0) observe(*self, address_of(call.object), call.pc, kNoiseBeforeSync);
    ++self->held;
  }
  after_sync(call.pc);
  return error;
}

template <class Try>
int try_with(const LockCall& call, Try try_lock) {
  FreeThread* self = synchronising();
  if (self == nullptr) return try_lock();
  before_sync(call.pc);
  const int error = try_lock();
  if (has_taken(error)) ++self->held;
  record(*self, call.kind, address_of(call.object), call.pc, 0, has_taken(error) ? 0 : kFailed);
  after_sync(call.pc);
  return error;
}

// Recorded before the lock is free: nobody can have it in between.
template <class Unlock>
int unlock_with(const LockCall& call, Unlock unlock) {
  FreeThread* self = synchronising();
  if (self == nullptr) return unlock();
  before_sync(call.pc);
  FreeEvent& event = record(*self, call.kind, address_of(call.object), call.pc);
  if (self->held > 0) --self->held;
  const int error = unlock();
  if (error != 0) event.kind = OpKind::kNone;
  if ((g_hooks & kHookHeal) != 0) leave_lock_sections(self->held);
  after_sync(call.pc);
  return error;
}

}  // namespace ravel::fr
