// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Opening files by name. The random devices are replaced by files with seeded contents; what shows the state of the
// machine, or stays behind after the execution, is let through and named.
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/fiber/home.h"
#include "runtime/intercept/export.h"
#include "runtime/intercept/path_rules.h"
#include "runtime/platform/raw.h"
#include "runtime/world/entropy.h"
#include "runtime/world/identity.h"
#include "runtime/world/library_state.h"
#include "runtime/world/uncontrolled_calls.h"

using namespace ravel;
using namespace ravel::rt;

namespace {

constexpr std::size_t kDeviceBytes = std::size_t{64} << 10;  // what can be read from a random device, opened once

// A descriptor that yields seeded bytes in place of the device's.
int open_seeded(int flags) {
  const long fd =
      call_for_program(SYS_memfd_create, reinterpret_cast<long>("random"), (flags & O_CLOEXEC) != 0 ? MFD_CLOEXEC : 0);
  if (fd < 0) return static_cast<int>(fd);
  unsigned char bytes[1024];
  for (std::size_t done = 0; done < kDeviceBytes; done += sizeof bytes) {
    fill_entropy(bytes, sizeof bytes);
    call_for_program(SYS_write, fd, reinterpret_cast<long>(bytes), sizeof bytes);
  }
  call_for_program(SYS_lseek, fd, 0, SEEK_SET);
  return static_cast<int>(fd);
}

constexpr std::size_t kProcPathRoom = 128;

// Where the rules want it, says that this file is not controlled.
void look_at(const char* call, const char* path, bool writes, LocationId location) {
  const bool scratch = g.block->campaign.scratch[0] != 0;
  if (is_uncontrolled_path(path, writes, scratch, g.private_tmp)) note_uncontrolled(call, path, location);
}

bool writes(int flags) {
  return (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0;
}

// A name that is made or emptied, or one that is looked for.
void touch_files(bool changes, LocationId location) {
  if (changes) {
    change_library_state(LibraryState::kFiles, location);
  } else {
    read_library_state(LibraryState::kFiles, location);
  }
}

int as_call(long result) {
  if (result >= 0) return static_cast<int>(result);
  errno = static_cast<int>(-result);
  return -1;
}

int open_file(const char* call, int folder, const char* path, int flags, mode_t mode, LocationId location) {
  if (is_random_device(path)) return as_call(open_seeded(flags));
  look_at(call, path, writes(flags), location);
  change_library_state(LibraryState::kDescriptors, location);
  touch_files(writes(flags), location);
  char room[kProcPathRoom];
  return real().openat(folder, kernel_proc_path(path, kVirtualProcess, room, sizeof(room)), flags, mode);
}

mode_t mode_of(int flags, va_list arguments) {
  const bool given = (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE;
  return given ? static_cast<mode_t>(va_arg(arguments, int)) : 0;
}

FILE* open_stream(const char* path, const char* mode, LocationId location) {
  if (is_random_device(path)) {
    const int fd = open_seeded(0);
    return fd < 0 ? nullptr : fdopen(fd, "r");
  }
  const bool writes = strpbrk(mode, "wa+") != nullptr;
  look_at("fopen", path, writes, location);
  change_library_state(LibraryState::kDescriptors, location);
  touch_files(writes, location);
  char room[kProcPathRoom];
  return real().fopen(kernel_proc_path(path, kVirtualProcess, room, sizeof(room)), mode);
}

}  // namespace

// The variadic C functions, each under its two names. They cannot use RAVEL_PASS_THROUGH: the mode must be read first.
#define RAVEL_OPEN(name)                                                 \
  RAVEL_EXPORT int name(const char* path, int flags, ...) {              \
    va_list arguments;                                                   \
    va_start(arguments, flags);                                          \
    const mode_t mode = mode_of(flags, arguments);                       \
    va_end(arguments);                                                   \
    if (!is_controlled_process()) return real().open(path, flags, mode); \
    return open_file("open", AT_FDCWD, path, flags, mode, RAVEL_CALLER); \
  }
#define RAVEL_OPENAT(name)                                                         \
  RAVEL_EXPORT int name(int folder, const char* path, int flags, ...) {            \
    va_list arguments;                                                             \
    va_start(arguments, flags);                                                    \
    const mode_t mode = mode_of(flags, arguments);                                 \
    va_end(arguments);                                                             \
    if (!is_controlled_process()) return real().openat(folder, path, flags, mode); \
    return open_file("openat", folder, path, flags, mode, RAVEL_CALLER);           \
  }
RAVEL_OPEN(open)
RAVEL_OPEN(open64)
RAVEL_OPENAT(openat)
RAVEL_OPENAT(openat64)

// What the fortified headers call.
RAVEL_EXPORT int __open_2(const char* path, int flags) {
  if (!is_controlled_process()) return real().open(path, flags);
  return open_file("open", AT_FDCWD, path, flags, 0, RAVEL_CALLER);
}
RAVEL_EXPORT int __open64_2(const char* path, int flags) {
  if (!is_controlled_process()) return real().open(path, flags);
  return open_file("open", AT_FDCWD, path, flags, 0, RAVEL_CALLER);
}

RAVEL_EXPORT int creat(const char* path, mode_t mode) {
  RAVEL_PASS_THROUGH(creat, path, mode);
  look_at("creat", path, true, RAVEL_CALLER);
  change_library_state(LibraryState::kDescriptors, RAVEL_CALLER);
  touch_files(true, RAVEL_CALLER);
  return real().creat(path, mode);
}
RAVEL_EXPORT int creat64(const char* path, mode_t mode) {
  RAVEL_PASS_THROUGH(creat, path, mode);
  look_at("creat", path, true, RAVEL_CALLER);
  change_library_state(LibraryState::kDescriptors, RAVEL_CALLER);
  touch_files(true, RAVEL_CALLER);
  return real().creat(path, mode);
}

RAVEL_EXPORT FILE* fopen(const char* path, const char* mode) {
  RAVEL_PASS_THROUGH(fopen, path, mode);
  return open_stream(path, mode, RAVEL_CALLER);
}
RAVEL_EXPORT FILE* fopen64(const char* path, const char* mode) {
  RAVEL_PASS_THROUGH(fopen, path, mode);
  return open_stream(path, mode, RAVEL_CALLER);
}
