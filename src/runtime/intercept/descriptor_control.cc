// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What closes, doubles and controls descriptors, with the locks of ranges of files that fcntl and lockf are about.
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>

#include "base/large_table.h"
#include "runtime/fiber/home.h"
#include "runtime/intercept/call_result.h"
#include "runtime/intercept/export.h"
#include "runtime/intercept/timer_descriptors.h"
#include "runtime/sync/misuse.h"
#include "runtime/world/closed_file.h"
#include "runtime/world/identity.h"
#include "runtime/world/io.h"
#include "runtime/world/library_state.h"
#include "runtime/world/open_files.h"
#include "runtime/world/record_lock.h"

using namespace ravel;
using namespace ravel::rt;

namespace {

// Closing never blocks; whoever reads its end sees all that was done before.
IoCall closing(int descriptor, LocationId location) {
  return {descriptor, OpKind::kIoClose, 0, __ATOMIC_RELEASE, location};
}

// Who closed a number last, plus one. The number may belong to somebody else by the time it is closed again: a thread
// that relies on EBADF then closes a stranger's file.
constexpr int kRemembered = 1024;
RAVEL_LARGE_TABLE ThreadIndex closed_by[kRemembered];

void note_close(int descriptor, long result, LocationId location) {
  if (!is_controlled_process() || descriptor < 0 || descriptor >= kRemembered) return;
  const ThreadIndex self = g.current->index + 1;
  if (result == 0) {
    closed_by[descriptor] = self;
  } else if (result == -EBADF && closed_by[descriptor] != 0 && closed_by[descriptor] != self) {
    finish_misuse("close of a descriptor that another thread has closed", location);
  }
}

template <class Call>
int replace_descriptor(int from, int to, LocationId location, Call call) {
  if (from == to) return static_cast<int>(as_c_result(call()));
  const ClosedFile file(to, location);
  const long result = io_operation(closing(to, location), call);
  file.end(result >= 0);
  if (result >= 0) note_duplicate(from, to);
  return static_cast<int>(as_c_result(result));
}

// By fcntl, which can also say what the least number is.
int double_descriptor(int from, int command, long least, LocationId location) {
  change_library_state(LibraryState::kDescriptors, location);
  const long result = call_for_program(SYS_fcntl, from, command, least);
  if (result >= 0) note_duplicate(from, static_cast<int>(result));
  return static_cast<int>(as_c_result(result));
}

int control(int descriptor, int command, long argument, LocationId location) {
  if (!g.in_control || !is_controlled_process()) return real().fcntl(descriptor, command, argument);
  if (is_record_lock_command(command)) {
    auto* const lock = reinterpret_cast<struct flock*>(argument);
    return static_cast<int>(as_c_result(do_record_lock(descriptor, command, lock, location)));
  }
  if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) {
    return double_descriptor(descriptor, command, argument, location);
  }
  // Whether calls on it wait depends on its flags.
  if (command == F_SETFL && real().fcntl(descriptor, F_GETFL, 0) != argument) change_setting(location);
  return real().fcntl(descriptor, command, argument);
}

// As the C library does it: a lock of the process, from the position on.
int lock_from_here(int descriptor, int command, off_t length, LocationId location) {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_CUR;
  lock.l_len = length;
  switch (command) {
    case F_TEST:
      if (as_c_result(do_record_lock(descriptor, F_GETLK, &lock, location)) < 0) return -1;
      if (lock.l_type == F_UNLCK) return 0;
      errno = EACCES;
      return -1;
    case F_ULOCK:
      lock.l_type = F_UNLCK;
      break;
    case F_LOCK:
    case F_TLOCK:
      break;
    default:
      errno = EINVAL;
      return -1;
  }
  const int how = command == F_LOCK ? F_SETLKW : F_SETLK;
  return static_cast<int>(as_c_result(do_record_lock(descriptor, how, &lock, location)));
}

}  // namespace

RAVEL_EXPORT int close(int descriptor) {
  RAVEL_PASS_THROUGH(close, descriptor);
  const LocationId location = RAVEL_CALLER;
  change_library_state(LibraryState::kDescriptors, location);
  forget_timer_descriptor(descriptor);
  const ClosedFile file(descriptor, location);
  const long result =
      io_operation(closing(descriptor, location), [&] { return call_for_program(SYS_close, descriptor); });
  file.end(result == 0);
  note_close(descriptor, result, location);
  return static_cast<int>(as_c_result(result));
}

RAVEL_EXPORT int dup(int from) noexcept {
  RAVEL_PASS_THROUGH(dup, from);
  return double_descriptor(from, F_DUPFD, 0, RAVEL_CALLER);
}

RAVEL_EXPORT int dup2(int from, int to) noexcept {
  RAVEL_PASS_THROUGH(dup2, from, to);
  return replace_descriptor(from, to, RAVEL_CALLER, [&] { return call_for_program(SYS_dup2, from, to); });
}

RAVEL_EXPORT int dup3(int from, int to, int flags) noexcept {
  RAVEL_PASS_THROUGH(dup3, from, to, flags);
  return replace_descriptor(from, to, RAVEL_CALLER, [&] { return call_for_program(SYS_dup3, from, to, flags); });
}

// Under both names of files with large offsets; what the argument is depends on the command.
#define RAVEL_FCNTL(name)                                        \
  RAVEL_EXPORT int name(int descriptor, int command, ...) {      \
    va_list arguments;                                           \
    va_start(arguments, command);                                \
    const long argument = va_arg(arguments, long);               \
    va_end(arguments);                                           \
    return control(descriptor, command, argument, RAVEL_CALLER); \
  }
RAVEL_FCNTL(fcntl)
RAVEL_FCNTL(fcntl64)

#define RAVEL_LOCKF(name)                                                                            \
  RAVEL_EXPORT int name(int descriptor, int command, off_t length) {                                 \
    if (!g.in_control || !is_controlled_process()) return real().lockf(descriptor, command, length); \
    return lock_from_here(descriptor, command, length, RAVEL_CALLER);                                \
  }
RAVEL_LOCKF(lockf)
RAVEL_LOCKF(lockf64)
