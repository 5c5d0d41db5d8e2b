// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Mutexes and spin locks: who may lock, and what locking does.
//
// MutexState overlays bytes 0..15 of the program's pthread_mutex_t. The int at offset 16 is glibc's kind, set by the
// static initialisers: it is read (mutex_type) and never written. held_since and held_context belong to the runtime's
// reports; nothing here looks at them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "model/event.h"
#include "semantics/answer.h"
#include "semantics/sync_result.h"

namespace ravel {

enum class MutexType : std::uint8_t { kNormal, kRecursive, kErrorCheck };

inline constexpr std::size_t kMutexKindOffset = 16;
// The word that says who has it: all that a spin lock consists of.
inline constexpr std::uint32_t kMutexWordBytes = 4;

// The two low bits of glibc's kind: timed, recursive, errorcheck, adaptive; higher bits say robust, priority, shared.
inline constexpr MutexType mutex_type_of_kind(int kind) {
  switch (kind & 3) {
    case 1:
      return MutexType::kRecursive;
    case 2:
      return MutexType::kErrorCheck;
    default:
      return MutexType::kNormal;
  }
}

// The bit of robust mutexes. A plain one is never had by a thread while another holds it, nor twice by its holder.
inline constexpr int kRobustKind = 16;
inline constexpr bool is_plain_kind(int kind) {
  return mutex_type_of_kind(kind) == MutexType::kNormal && (kind & kRobustKind) == 0;
}

inline int mutex_kind(const void* pthread_mutex) {
  int kind = 0;
  std::memcpy(&kind, static_cast<const char*>(pthread_mutex) + kMutexKindOffset, sizeof(kind));
  return kind;
}
inline MutexType mutex_type(const void* pthread_mutex) {
  return mutex_type_of_kind(mutex_kind(pthread_mutex));
}

// Event::value of kMutexUnlock: the owner of a robust mutex ends without having unlocked it, however often it had
// locked.
inline constexpr std::uint64_t kUnlockByDeath = 1;

struct MutexState {
  std::uint32_t owner_plus_one = 0;
  std::uint32_t count = 0;  // times locked by the owner; kDestroyed without an owner: destroyed
  LocationId held_since = 0;
  ContextId held_context = 0;
};
static_assert(sizeof(MutexState) == kMutexKindOffset && std::is_trivially_copyable_v<MutexState>);

inline ThreadIndex owner(const MutexState& m) {
  return m.owner_plus_one - 1;  // kNoThread when free
}
inline bool is_destroyed(const MutexState& m) {
  return m.owner_plus_one == 0 && m.count == kDestroyed;
}

// Whether lock() would return: also when it returns an error at once.
inline bool can_lock(const MutexState& m, MutexType type, ThreadIndex thread) {
  return m.owner_plus_one == 0 || (m.owner_plus_one == thread + 1 && type != MutexType::kNormal);
}

inline SyncResult try_lock(MutexState& m, MutexType type, ThreadIndex thread) {
  if (m.owner_plus_one == 0) {
    if (m.count == kDestroyed) return SyncResult::kInvalid;
    m.owner_plus_one = thread + 1;
    m.count = 1;
    return SyncResult::kOk;
  }
  if (m.owner_plus_one != thread + 1 || type != MutexType::kRecursive) return SyncResult::kBusy;
  if (m.count == kDestroyed - 1) return SyncResult::kOverflow;
  ++m.count;
  return SyncResult::kOk;
}

// kBusy: the caller has to wait. kSelfDeadlock: an errorcheck mutex says so, a normal one waits for ever.
inline SyncResult lock(MutexState& m, MutexType type, ThreadIndex thread) {
  if (m.owner_plus_one == thread + 1 && type != MutexType::kRecursive) return SyncResult::kSelfDeadlock;
  return try_lock(m, type, thread);
}

// Also the release half of a condition wait: one level, as glibc does. An error leaves the state as it is.
inline SyncResult unlock(MutexState& m, ThreadIndex thread) {
  if (is_destroyed(m)) return SyncResult::kInvalid;
  if (m.owner_plus_one == 0) return SyncResult::kNotLocked;
  if (m.owner_plus_one != thread + 1) return SyncResult::kNotOwner;
  if (--m.count == 0) m.owner_plus_one = 0;
  return SyncResult::kOk;
}

inline SyncResult destroy(MutexState& m) {
  if (is_destroyed(m)) return SyncResult::kInvalid;
  if (m.owner_plus_one != 0) return SyncResult::kBusy;
  m.count = kDestroyed;
  return SyncResult::kOk;
}

// A lock of a condition variable's mutex is a lock, its release an unlock. The type of a mutex is not recorded: a lock
// that its owner was given shows a recursive one, one that failed without a time-out an errorcheck one.
inline MutexType type_shown_by(const OperationView& op) {
  if (op.kind == OpKind::kMutexLock && did_fail(op) && (op.bits & kTimeout) == 0) return MutexType::kErrorCheck;
  return did_fail(op) ? MutexType::kNormal : MutexType::kRecursive;
}
inline Answer ask(const MutexState& m, const OperationView& op) {
  MutexState after = m;
  switch (op.kind) {
    case OpKind::kMutexLock:
    case OpKind::kCondReacquire:
      if (!can_lock(m, type_shown_by(op), op.thread)) return {false};
      return answer_of(lock(after, type_shown_by(op), op.thread));
    case OpKind::kMutexTryLock:
      return answer_of(try_lock(after, type_shown_by(op), op.thread));
    case OpKind::kMutexUnlock:
    case OpKind::kCondWait:
      return answer_of(unlock(after, op.thread));
    default:
      return {};
  }
}
inline bool apply(MutexState& m, const OperationView& op) {
  if (did_fail(op)) return true;
  switch (op.kind) {
    case OpKind::kMutexLock:
    case OpKind::kMutexTryLock:
    case OpKind::kCondReacquire:
      if (try_lock(m, MutexType::kRecursive, op.thread) == SyncResult::kOk) return true;
      m.owner_plus_one = op.thread + 1;
      m.count = 1;
      return false;
    case OpKind::kMutexUnlock:
    case OpKind::kCondWait:
      if (unlock(m, op.thread) == SyncResult::kOk) return true;
      m = {};
      return false;
    default:
      return true;
  }
}

// pthread_spinlock_t is one int; a spin lock is a normal mutex without anything else.
struct SpinState {
  std::uint32_t owner_plus_one = 0;  // kDestroyed: destroyed
};
static_assert(sizeof(SpinState) == 4 && std::is_trivially_copyable_v<SpinState>);

inline ThreadIndex owner(const SpinState& s) {
  return s.owner_plus_one == kDestroyed ? kNoThread : ThreadIndex(s.owner_plus_one - 1);
}
inline bool is_destroyed(const SpinState& s) {
  return s.owner_plus_one == kDestroyed;
}
inline bool can_lock(const SpinState& s, ThreadIndex) {
  return s.owner_plus_one == 0 || is_destroyed(s);
}
inline SyncResult try_lock(SpinState& s, ThreadIndex thread) {
  if (is_destroyed(s)) return SyncResult::kInvalid;
  if (s.owner_plus_one != 0) return SyncResult::kBusy;
  s.owner_plus_one = thread + 1;
  return SyncResult::kOk;
}
inline SyncResult lock(SpinState& s, ThreadIndex thread) {
  return s.owner_plus_one == thread + 1 ? SyncResult::kSelfDeadlock : try_lock(s, thread);
}
inline SyncResult unlock(SpinState& s, ThreadIndex thread) {
  if (is_destroyed(s)) return SyncResult::kInvalid;
  if (s.owner_plus_one == 0) return SyncResult::kNotLocked;
  if (s.owner_plus_one != thread + 1) return SyncResult::kNotOwner;
  s.owner_plus_one = 0;
  return SyncResult::kOk;
}
inline SyncResult destroy(SpinState& s) {
  if (is_destroyed(s)) return SyncResult::kInvalid;
  if (s.owner_plus_one != 0) return SyncResult::kBusy;
  s.owner_plus_one = kDestroyed;
  return SyncResult::kOk;
}

}  // namespace ravel
