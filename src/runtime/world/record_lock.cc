// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/world/record_lock.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include <limits>

#include "runtime/fiber/home.h"
#include "runtime/sync/wait_begin.h"
#include "runtime/world/identity.h"
#include "runtime/world/library_state.h"
#include "runtime/world/lock_word.h"
#include "runtime/world/open_files.h"

namespace ravel::rt {

namespace {

bool has_open_file_locks[kFileLocks];  // or had some

bool belongs_to_open_file(int command) {
  return command == F_OFD_SETLK || command == F_OFD_SETLKW || command == F_OFD_GETLK;
}
bool looks(int command) {
  return command == F_GETLK || command == F_OFD_GETLK;
}
bool waits(int command) {
  return command == F_SETLKW || command == F_OFD_SETLKW;
}

// Locks of the process order nothing between its threads. Those of open files do, also with those of the process.
int order_of(bool of_open_file, unsigned file) {
  return of_open_file || has_open_file_locks[file] ? __ATOMIC_ACQ_REL : __ATOMIC_RELEASE;
}

long call_kernel(int descriptor, int command, struct flock* lock) {
  return call_for_program(SYS_fcntl, descriptor, command, reinterpret_cast<long>(lock));
}

// The kernel has taken the lock, so its range is valid.
ByteRange range_of(int descriptor, const struct flock& lock) {
  std::int64_t start = lock.l_start;
  if (lock.l_whence == SEEK_CUR) {
    start += call_for_program(SYS_lseek, descriptor, 0, SEEK_CUR);
  } else if (lock.l_whence == SEEK_END) {
    struct stat status = {};
    (void)call_for_program(SYS_fstat, descriptor, reinterpret_cast<long>(&status));
    start += status.st_size;
  }
  if (lock.l_len == 0) return {start, std::numeric_limits<std::int64_t>::max()};
  if (lock.l_len < 0) return {start + lock.l_len, start - 1};
  return {start, start + (lock.l_len - 1)};
}

LockShare share_of(const struct flock& lock) {
  if (lock.l_type == F_UNLCK) return LockShare::kNone;
  return lock.l_type == F_WRLCK ? LockShare::kAlone : LockShare::kShared;
}

long look_at_locks(int descriptor, int command, struct flock* lock, unsigned file, LocationId location) {
  LockWord::of_records(file, __ATOMIC_ACQUIRE, location).look();
  const long result = call_kernel(descriptor, command, lock);
  if (result == 0 && lock->l_type != F_UNLCK && lock->l_pid == kernel_process(kVirtualProcess)) {
    lock->l_pid = kVirtualProcess;
  }
  return result;
}

struct RecordLock {
  int descriptor;
  int command;
  struct flock* lock;
  LockOwner who;
  LockWord word;

  [[nodiscard]] int trying() const { return belongs_to_open_file(command) ? F_OFD_SETLK : F_SETLK; }
};

void note_taken(const RecordLock& call) {
  const bool gives_up = g_record_locks.set(call.who, range_of(call.descriptor, *call.lock), share_of(*call.lock));
  if (gives_up) call.word.wake_all();
}

bool is_taken(long result) {
  return result == -EAGAIN || result == -EACCES;
}

long set_lock(const RecordLock& call, LocationId location) {
  const bool can_wait = waits(call.command);
  if (can_wait) begin_wait(Interruption::kRestart, location);
  for (;;) {
    const std::uint32_t seen = call.word.pass_point(can_wait);
    const long result = call_kernel(call.descriptor, call.trying(), call.lock);
    call.word.record(result == 0);
    if (result == 0) note_taken(call);
    if (!is_taken(result) || !can_wait) return result;
    // No point has passed since the call.
    const bool is_ours =
        g_record_locks.knows_all() &&
        g_record_locks.is_in_the_way(call.who, range_of(call.descriptor, *call.lock), share_of(*call.lock));
    if (!is_ours) {
      // Another process has it, or an open file that is not followed: only the kernel knows when it is free.
      const long waited = call_kernel(call.descriptor, call.command, call.lock);
      if (waited == 0) note_taken(call);
      return waited;
    }
    if (call.word.wait(seen, true) == -EINTR) return -EINTR;
  }
}

}  // namespace

bool is_record_lock_command(int command) {
  return looks(command) || waits(command) || command == F_SETLK || command == F_OFD_SETLK;
}

long do_record_lock(int descriptor, int command, struct flock* lock, LocationId location) {
  const bool of_open_file = belongs_to_open_file(command);
  const unsigned file = lock == nullptr ? kFileLocks : file_behind(descriptor);
  const std::uint32_t owner = of_open_file ? open_file_of(descriptor) : LockOwner::kProcess;
  if (file == kFileLocks || (of_open_file && owner == 0)) return call_kernel(descriptor, command, lock);
  // What the range begins at may move.
  if (lock->l_whence != SEEK_SET) read_library_state(LibraryState::kFiles, location);
  if (looks(command)) return look_at_locks(descriptor, command, lock, file, location);
  if (of_open_file) has_open_file_locks[file] = true;
  const LockWord word = LockWord::of_records(file, order_of(of_open_file, file), location);
  return set_lock({descriptor, command, lock, {file, owner}, word}, location);
}

}  // namespace ravel::rt
