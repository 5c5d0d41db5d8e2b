// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Reader-writer locks, with glibc's default preference: a reader may enter whenever no writer holds the lock.
//
// Writer preference is a matter of scheduling here: each of its executions is an execution of this table as well. Only
// the deadlock of a recursive reader behind a waiting writer is not; for locks of kind PREFER_WRITER_NONRECURSIVE the
// runtime keeps readers outside while a writer waits (runtime/sync/virtual_rwlock.cc).
//
// RwState overlays bytes 0..31 of pthread_rwlock_t; glibc's flags at offset 48 stay untouched. The first holders are
// kept by name, to tell a self-deadlock and an unlock by a stranger; readers beyond kNamedReaders are only counted.
#pragma once

#include <cstdint>
#include <type_traits>

#include "model/event.h"
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

inline SyncResult destroy(RwState& l) {
  if (is_destroyed(l)) return SyncResult::kInvalid;
  if (l.writer_plus_one != 0 || l.readers != 0) return SyncResult::kBusy;
  l.readers = kDestroyed;
  return SyncResult::kOk;
}

}  // namespace ravel
