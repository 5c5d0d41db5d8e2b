// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Reader-writer locks, with glibc's default preference: a reader may enter whenever no writer holds the lock.
//
// Of kind PREFER_WRITER_NONRECURSIVE a reader stays outside while a writer waits for others to leave, also one who is
// inside already: the deadlock of a recursive reader. A writer comes to wait by an operation of its own, an attempt
// that fails with the value kQueued; the write lock behind it ends the wait. The values of all other operations on such
// a lock have the bit kPrefersWriters.
//
// RwState overlays bytes 0..31 of pthread_rwlock_t; glibc's flags at offset 48 stay untouched. The first holders are
// kept by name, to tell a self-deadlock and an unlock by a stranger; readers beyond kNamedReaders are only counted.
#pragma once

#include <cstdint>
#include <type_traits>

#include "model/event.h"
#include "semantics/answer.h"
#include "semantics/sync_result.h"

namespace ravel {

inline constexpr unsigned kNamedReaders = 4;

struct RwState {
  std::uint32_t writer_plus_one = 0;
  std::uint32_t readers = 0;  // read locks held, recursion included; kDestroyed: destroyed
  LocationId held_since = 0;  // of the last holder; the runtime's
  ContextId held_context = 0;
  std::uint32_t named_plus_one[kNamedReaders] = {};  // ascending, zeros last
};
static_assert(sizeof(RwState) == 32 && std::is_trivially_copyable_v<RwState>);

inline ThreadIndex writer(const RwState& l) {
  return l.writer_plus_one - 1;  // kNoThread when there is none
}
inline bool is_destroyed(const RwState& l) {
  return l.readers == kDestroyed;
}
inline bool is_named_reader(const RwState& l, ThreadIndex thread) {
  for (const std::uint32_t name : l.named_plus_one) {
    if (name == thread + 1) return true;
  }
  return false;
}
inline bool has_unnamed_readers(const RwState& l) {
  unsigned named = 0;
  while (named < kNamedReaders && l.named_plus_one[named] != 0) ++named;
  return !is_destroyed(l) && l.readers > named;
}

inline constexpr std::uint64_t kPrefersWriters = 2;
inline constexpr std::uint64_t kQueued = 4;  // Event::value of a failed kRwTryWriteLock: it waits from now on

// May a reader enter a lock that prefers writers, with so many of them waiting?
inline bool passes_writers(const RwState& l, std::uint32_t waiting_writers) {
  return waiting_writers == 0 || l.readers == 0;
}

inline bool can_read_lock(const RwState& l, ThreadIndex thread) {
  return l.writer_plus_one == 0 || l.writer_plus_one == thread + 1;  // the writer itself gets an error at once
}
inline bool can_write_lock(const RwState& l, ThreadIndex thread) {
  if (l.writer_plus_one != 0) return l.writer_plus_one == thread + 1;
  return l.readers == 0 || is_destroyed(l);
}

inline SyncResult read_lock(RwState& l, ThreadIndex thread) {
  if (is_destroyed(l)) return SyncResult::kInvalid;
  if (l.writer_plus_one != 0) return l.writer_plus_one == thread + 1 ? SyncResult::kSelfDeadlock : SyncResult::kBusy;
  if (l.readers == kDestroyed - 1) return SyncResult::kOverflow;
  ++l.readers;
  if (l.named_plus_one[kNamedReaders - 1] == 0) {
    unsigned at = kNamedReaders - 1;
    for (; at > 0 && (l.named_plus_one[at - 1] == 0 || l.named_plus_one[at - 1] > thread + 1); --at) {
      l.named_plus_one[at] = l.named_plus_one[at - 1];
    }
    l.named_plus_one[at] = thread + 1;
  }
  return SyncResult::kOk;
}

// kSelfDeadlock: the caller holds it for writing (glibc returns an error) or for reading (it waits for ever).
inline SyncResult write_lock(RwState& l, ThreadIndex thread) {
  if (is_destroyed(l)) return SyncResult::kInvalid;
  if (l.writer_plus_one == thread + 1 || is_named_reader(l, thread)) return SyncResult::kSelfDeadlock;
  if (l.writer_plus_one != 0 || l.readers != 0) return SyncResult::kBusy;
  l.writer_plus_one = thread + 1;
  return SyncResult::kOk;
}

inline SyncResult try_read_lock(RwState& l, ThreadIndex thread) {
  const SyncResult result = read_lock(l, thread);
  return result == SyncResult::kSelfDeadlock ? SyncResult::kBusy : result;
}
inline SyncResult try_write_lock(RwState& l, ThreadIndex thread) {
  const SyncResult result = write_lock(l, thread);
  return result == SyncResult::kSelfDeadlock ? SyncResult::kBusy : result;
}

// Event::value of kRwUnlock: kReaderUnlock when a reader leaves, 0 for a writer (or when unknown).
inline constexpr std::uint64_t kReaderUnlock = 1;
inline std::uint64_t unlock_value(const RwState& l) {
  return l.writer_plus_one == 0 ? kReaderUnlock : 0;
}

inline SyncResult unlock(RwState& l, ThreadIndex thread) {
  if (is_destroyed(l)) return SyncResult::kInvalid;
  if (l.writer_plus_one != 0) {
    if (l.writer_plus_one != thread + 1) return SyncResult::kNotOwner;
    l.writer_plus_one = 0;
    return SyncResult::kOk;
  }
  if (l.readers == 0) return SyncResult::kNotLocked;
  for (unsigned i = 0; i < kNamedReaders; ++i) {
    if (l.named_plus_one[i] != thread + 1) continue;
    for (; i + 1 < kNamedReaders; ++i) l.named_plus_one[i] = l.named_plus_one[i + 1];
    l.named_plus_one[kNamedReaders - 1] = 0;
    --l.readers;
    return SyncResult::kOk;
  }
  if (!has_unnamed_readers(l)) return SyncResult::kNotOwner;
  --l.readers;
  return SyncResult::kOk;
}

inline Answer ask(const RwState& l, const OperationView& op) {
  RwState after = l;
  switch (op.kind) {
    case OpKind::kRwReadLock:
      if (!can_read_lock(l, op.thread)) return {false};
      return answer_of(read_lock(after, op.thread));
    case OpKind::kRwWriteLock:
      if (!can_write_lock(l, op.thread)) return {false};
      return answer_of(write_lock(after, op.thread));
    case OpKind::kRwTryReadLock:
      return answer_of(try_read_lock(after, op.thread));
    case OpKind::kRwTryWriteLock:
      return answer_of(try_write_lock(after, op.thread));
    case OpKind::kRwUnlock:
      return {true, unlock(after, op.thread) != SyncResult::kOk, unlock_value(l)};
    default:
      return {};
  }
}
inline bool apply(RwState& l, const OperationView& op) {
  if (did_fail(op)) return true;
  switch (op.kind) {
    case OpKind::kRwReadLock:
    case OpKind::kRwTryReadLock:
      if (read_lock(l, op.thread) == SyncResult::kOk) return true;
      l = {};
      (void)read_lock(l, op.thread);
      return false;
    case OpKind::kRwWriteLock:
    case OpKind::kRwTryWriteLock:
      if (write_lock(l, op.thread) == SyncResult::kOk) return true;
      l = {};
      (void)write_lock(l, op.thread);
      return false;
    case OpKind::kRwUnlock:
      if (unlock(l, op.thread) == SyncResult::kOk) return true;
      l = {};
      return false;
    default:
      return true;
  }
}

inline SyncResult destroy(RwState& l) {
  if (is_destroyed(l)) return SyncResult::kInvalid;
  if (l.writer_plus_one != 0 || l.readers != 0) return SyncResult::kBusy;
  l.readers = kDestroyed;
  return SyncResult::kOk;
}

}  // namespace ravel
