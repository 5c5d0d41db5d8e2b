// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/world/file_lock.h"

#include <errno.h>
#include <sys/file.h>

#include "runtime/fiber/home.h"
#include "runtime/sync/wait_begin.h"
#include "runtime/world/lock_word.h"
#include "runtime/world/open_files.h"

namespace ravel::rt {

namespace {

struct WholeLock {
  int descriptor;
  int operation;
  LockOwner who;
  LockWord word;

  [[nodiscard]] LockShare wanted() const {
    if ((operation & LOCK_UN) != 0) return LockShare::kNone;
    return (operation & LOCK_EX) != 0 ? LockShare::kAlone : LockShare::kShared;
  }
};

long unlock_file(const WholeLock& lock) {
  (void)lock.word.pass_point();
  lock.word.record(true);
  const long result = call_for_program(SYS_flock, lock.descriptor, lock.operation);
  if (result != 0) return result;
  if (g_whole_locks.set(lock.who, {}, LockShare::kNone)) lock.word.wake_all();
  return 0;
}

struct Try {
  long result;
  std::uint32_t seen;  // the word at the time of the call
  bool is_ours;        // what stands in the way
};

// As in the kernel, who holds the lock in another mode gives it up first, and may be left without any.
Try try_lock_file(const WholeLock& lock) {
  const std::uint32_t seen = lock.word.pass_point();
  const long result = call_for_program(SYS_flock, lock.descriptor, lock.operation | LOCK_NB);
  const bool is_ours = g_whole_locks.knows_all() && g_whole_locks.is_in_the_way(lock.who, {}, lock.wanted());
  lock.word.record(result == 0);
  if (g_whole_locks.set(lock.who, {}, result == 0 ? lock.wanted() : LockShare::kNone)) {
    lock.word.change();
    lock.word.wake_all();
  }
  return {result, seen, is_ours};
}

}  // namespace

long lock_file(int descriptor, int operation, LocationId location) {
  const unsigned file = file_behind(descriptor);
  const std::uint32_t owner = open_file_of(descriptor);
  if (file == kFileLocks || owner == 0) return call_for_program(SYS_flock, descriptor, operation);
  const WholeLock lock{descriptor, operation, {file, owner}, LockWord::of_whole(file, location)};
  if (lock.wanted() == LockShare::kNone) return unlock_file(lock);
  const bool waits = (operation & LOCK_NB) == 0;
  if (waits) begin_wait(Interruption::kRestart, location);
  for (;;) {
    const Try done = try_lock_file(lock);
    if (done.result != -EWOULDBLOCK || !waits) return done.result;
    if (!done.is_ours) {
      // Another process holds it, or an open file that is not followed: only the kernel knows when it is free.
      const long result = call_for_program(SYS_flock, descriptor, operation);
      if (result == 0) (void)g_whole_locks.set(lock.who, {}, lock.wanted());
      return result;
    }
    if (lock.word.wait(done.seen, false) == -EINTR) return -EINTR;
  }
}

}  // namespace ravel::rt
