// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/sync/holders.h"

#include "runtime/record/objects.h"
#include "runtime/sync/virtual_mutex.h"
#include "runtime/sync/virtual_once.h"
#include "runtime/sync/virtual_rwlock.h"

namespace ravel::rt {

namespace {

void held_by_mutex(const MutexState& state, WaitingRecord& record) {
  record.holder = owner(state);
  if (record.holder == kNoThread) return;
  record.held_since = state.held_since;
  record.held_context = state.held_context;
}

}  // namespace

void fill_in_holder(const VirtualThread& waiting, WaitingRecord& record) {
  const Pending& p = waiting.pending;
  switch (p.kind) {
    case OpKind::kMutexLock: {
      // A spin lock is one word; telling them apart by the predicate keeps the state free of a type tag.
      const auto& state = *reinterpret_cast<const MutexState*>(p.address);
      if (p.size == sizeof(SpinState)) {
        record.holder = owner(*reinterpret_cast<const SpinState*>(p.address));
      } else if (p.size == 0) {
        held_by_mutex(state, record);
      }
      break;
    }
    case OpKind::kCondReacquire:
      // Woken, but the mutex is taken: it waits for the mutex.
      if (can_resume(waiting.waiting, waiting.wake != WakeReason::kNormal)) {
        const Place mutex = place_of_address(p.value);
        record.wants = OpKind::kMutexLock;
        record.object = mutex.object;
        record.offset = mutex.offset;
        held_by_mutex(*reinterpret_cast<const MutexState*>(p.value), record);
      }
      break;
    case OpKind::kRwReadLock:
    case OpKind::kRwWriteLock: {
      const auto& state = *reinterpret_cast<const RwState*>(p.address);
      record.holder = writer(state) != kNoThread ? writer(state) : ThreadIndex(state.named_plus_one[0] - 1);
      record.held_since = state.held_since;
      record.held_context = state.held_context;
      const ThreadIndex first = waiting_writer(reinterpret_cast<const pthread_rwlock_t*>(p.address));
      if (p.kind == OpKind::kRwReadLock && writer(state) == kNoThread && first != kNoThread) {
        record.holder = first;
        record.role = HolderRole::kAhead;
        record.held_since = 0;
      }
      break;
    }
    case OpKind::kThreadJoin:
      record.holder = static_cast<ThreadIndex>(p.value);
      record.role = HolderRole::kJoined;
      break;
    case OpKind::kOnceBegin:
      record.holder = once_runner(p.address, p.size == 8);
      record.role = HolderRole::kRunner;
      break;
    default:
      break;
  }
}

}  // namespace ravel::rt
