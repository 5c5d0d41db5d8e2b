// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/sync/stream_lock.h"

#include "runtime/record/recorder.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/sync/sync_operation.h"
#include "semantics/mutex.h"

namespace ravel::rt {

unsigned g_held_streams = 0;

namespace {

struct StreamLock {
  FILE* stream;  // nullptr: free
  MutexState state;
};
constexpr unsigned kStreams = 64;  // held at one time
StreamLock locks[kStreams];

StreamLock* find(const FILE* stream) {
  for (StreamLock& lock : locks) {
    if (lock.stream == stream) return &lock;
  }
  return nullptr;
}

bool held_by_other(const FILE* stream, ThreadIndex thread) {
  for (const StreamLock& lock : locks) {
    if (lock.stream != nullptr && (stream == nullptr || lock.stream == stream) && owner(lock.state) != thread) {
      return true;
    }
  }
  return false;
}

void take(FILE* stream) {
  StreamLock* mine = find(stream);
  if (mine == nullptr) {
    mine = find(nullptr);
    if (mine == nullptr) return;  // more streams held than anybody would: not excluded
    *mine = {stream, {}};
    ++g_held_streams;
  }
  (void)try_lock(mine->state, MutexType::kRecursive, g.current->index);
}

Pending waiting(FILE* stream, LocationId location) {
  Pending pending = operation(OpKind::kMutexLock, stream, location);
  pending.enabled = [](const VirtualThread& thread) {
    return !held_by_other(reinterpret_cast<FILE*>(thread.pending.address), thread.index);
  };
  // Reports must not take the stream for a mutex of the program.
  pending.size = sizeof(FILE);
  return pending;
}

}  // namespace

void stream_lock(FILE* stream, LocationId location) {
  point(waiting(stream, location));
  take(stream);
  record_pending(0, 0);
  changed();
}

bool stream_trylock(FILE* stream, LocationId location) {
  point(operation(OpKind::kMutexTryLock, stream, location));
  const bool got = !held_by_other(stream, g.current->index);
  if (got) take(stream);
  record_pending(got ? 0 : kFailed, 0);
  if (got) changed();
  return got;
}

void stream_unlock(FILE* stream, LocationId location) {
  point(operation(OpKind::kMutexUnlock, stream, location));
  StreamLock* mine = find(stream);
  const bool held = mine != nullptr && unlock(mine->state, g.current->index) == SyncResult::kOk;
  if (held && mine->state.count == 0) {
    mine->stream = nullptr;
    --g_held_streams;
  }
  record_pending(held ? 0 : kFailed, 0);
  changed();
}

void wait_for_stream(FILE* stream, LocationId location) {
  if (!held_by_other(stream, g.current->index)) return;
  // A lock and unlock of which nobody needs to know more than that it waited.
  point(waiting(stream, location));
  count_step();
}

}  // namespace ravel::rt
