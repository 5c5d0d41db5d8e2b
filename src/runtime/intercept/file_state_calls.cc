// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Files as state that threads share: names, contents, positions, the working folder. Calls on them are scheduling
// points, and one that looks is in order with those that change.
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/intercept/call_result.h"
#include "runtime/intercept/export.h"
#include "runtime/world/closed_file.h"
#include "runtime/world/file_lock.h"
#include "runtime/world/identity.h"
#include "runtime/world/library_state.h"

using namespace ravel;
using namespace ravel::rt;

#define RAVEL_LOOKS(type, name, parameters, ...)            \
  RAVEL_EXPORT type name parameters noexcept {              \
    read_library_state(LibraryState::kFiles, RAVEL_CALLER); \
    return real().name(__VA_ARGS__);                        \
  }
#define RAVEL_CHANGES(type, name, parameters, ...)            \
  RAVEL_EXPORT type name parameters noexcept {                \
    change_library_state(LibraryState::kFiles, RAVEL_CALLER); \
    return real().name(__VA_ARGS__);                          \
  }

RAVEL_LOOKS(int, stat, (const char* path, struct stat* status), path, status)
RAVEL_LOOKS(int, lstat, (const char* path, struct stat* status), path, status)
RAVEL_LOOKS(int, access, (const char* path, int mode), path, mode)
RAVEL_LOOKS(int, faccessat, (int folder, const char* path, int mode, int flags), folder, path, mode, flags)
RAVEL_LOOKS(char*, getcwd, (char* buffer, std::size_t size), buffer, size)
RAVEL_LOOKS(ssize_t, readlink, (const char* path, char* buffer, std::size_t size), path, buffer, size)
RAVEL_CHANGES(int, unlink, (const char* path), path)
RAVEL_CHANGES(int, unlinkat, (int folder, const char* path, int flags), folder, path, flags)
RAVEL_CHANGES(int, rename, (const char* from, const char* to), from, to)
RAVEL_CHANGES(int, mkdir, (const char* path, mode_t mode), path, mode)
RAVEL_CHANGES(int, rmdir, (const char* path), path)
RAVEL_CHANGES(int, link, (const char* from, const char* to), from, to)
RAVEL_CHANGES(int, symlink, (const char* from, const char* to), from, to)
RAVEL_CHANGES(int, truncate, (const char* path, off_t size), path, size)
RAVEL_CHANGES(int, ftruncate, (int file, off_t size), file, size)
RAVEL_CHANGES(off_t, lseek, (int file, off_t offset, int whence), file, offset, whence)
RAVEL_CHANGES(int, chdir, (const char* path), path)
RAVEL_CHANGES(mode_t, umask, (mode_t mask), mask)

// Cancellation points, which may unwind.
RAVEL_EXPORT ssize_t pread(int file, void* buffer, std::size_t size, off_t offset) {
  read_library_state(LibraryState::kFiles, RAVEL_CALLER);
  return real().pread(file, buffer, size, offset);
}
RAVEL_EXPORT ssize_t pwrite(int file, const void* buffer, std::size_t size, off_t offset) {
  change_library_state(LibraryState::kFiles, RAVEL_CALLER);
  return real().pwrite(file, buffer, size, offset);
}

RAVEL_EXPORT int flock(int file, int operation) noexcept {
  if (!g.in_control || !is_controlled_process()) return real().flock(file, operation);
  return static_cast<int>(as_c_result(lock_file(file, operation, RAVEL_CALLER)));
}

// The C library closes the descriptor by itself, and so lets go of its locks.
RAVEL_EXPORT int fclose(FILE* stream) {
  if (!g.in_control || !is_controlled_process() || stream == nullptr) return real().fclose(stream);
  const ClosedFile file(fileno(stream), RAVEL_CALLER);
  const int result = real().fclose(stream);
  file.end(true);
  return result;
}
