// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Names of temporary files: the C library draws them from the kernel, out of our reach, so the draw is made here.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/fiber/home.h"
#include "runtime/intercept/export.h"
#include "runtime/platform/raw.h"
#include "runtime/world/entropy.h"
#include "runtime/world/uncontrolled_calls.h"

using namespace ravel;
using namespace ravel::rt;

namespace {

constexpr int kTries = 10'000;
constexpr std::size_t kDrawn = 6;  // the X's
constexpr char kLetters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

char* drawn_part(char* pattern, int suffix) {
  const std::size_t length = pattern != nullptr ? strlen(pattern) : 0;
  if (suffix < 0 || length < kDrawn + static_cast<std::size_t>(suffix)) return nullptr;
  char* part = pattern + length - static_cast<std::size_t>(suffix) - kDrawn;
  return strncmp(part, "XXXXXX", kDrawn) == 0 ? part : nullptr;
}

void draw(char* part) {
  std::uint64_t word = next_entropy();
  for (std::size_t i = 0; i < kDrawn; ++i, word /= sizeof kLetters - 1)
    part[i] = kLetters[word % (sizeof kLetters - 1)];
}

// Tries names until `make` does not say EEXIST. What an earlier execution left in the way is named.
template <class Make>
long make_unique(const char* call, char* pattern, int suffix, LocationId location, Make make) {
  char* part = drawn_part(pattern, suffix);
  if (part == nullptr) return -EINVAL;
  for (int i = 0; i < kTries; ++i) {
    draw(part);
    const long result = make(pattern);
    if (result != -EEXIST) return result;
    note_uncontrolled(call, pattern, location);
  }
  return -EEXIST;
}

int as_call(long result) {
  if (result >= 0) return static_cast<int>(result);
  errno = static_cast<int>(-result);
  return -1;
}

int make_file(const char* call, char* pattern, int suffix, int flags, LocationId location) {
  return as_call(make_unique(call, pattern, suffix, location, [flags](const char* path) {
    return call_for_program(SYS_openat, AT_FDCWD, reinterpret_cast<long>(path),
                            (flags & ~O_ACCMODE) | O_RDWR | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR);
  }));
}

}  // namespace

#define RAVEL_TEMPORARY(name, plain, suffix, flags, arguments, ...) \
  RAVEL_EXPORT int name arguments {                                 \
    RAVEL_PASS_THROUGH(plain, __VA_ARGS__);                         \
    return make_file(#plain, pattern, suffix, flags, RAVEL_CALLER); \
  }
RAVEL_TEMPORARY(mkstemp, mkstemp, 0, 0, (char* pattern), pattern)
RAVEL_TEMPORARY(mkstemp64, mkstemp, 0, 0, (char* pattern), pattern)
RAVEL_TEMPORARY(mkostemp, mkostemp, 0, flags, (char* pattern, int flags), pattern, flags)
RAVEL_TEMPORARY(mkostemp64, mkostemp, 0, flags, (char* pattern, int flags), pattern, flags)
RAVEL_TEMPORARY(mkstemps, mkstemps, suffix, 0, (char* pattern, int suffix), pattern, suffix)
RAVEL_TEMPORARY(mkstemps64, mkstemps, suffix, 0, (char* pattern, int suffix), pattern, suffix)
RAVEL_TEMPORARY(mkostemps, mkostemps, suffix, flags, (char* pattern, int suffix, int flags), pattern, suffix, flags)
RAVEL_TEMPORARY(mkostemps64, mkostemps, suffix, flags, (char* pattern, int suffix, int flags), pattern, suffix, flags)

RAVEL_EXPORT char* mkdtemp(char* pattern) noexcept {
  RAVEL_PASS_THROUGH(mkdtemp, pattern);
  const long result = make_unique("mkdtemp", pattern, 0, RAVEL_CALLER, [](const char* path) {
    return call_for_program(SYS_mkdir, reinterpret_cast<long>(path), S_IRWXU);
  });
  return as_call(result) < 0 ? nullptr : pattern;
}

// Linking a program that uses it warns already; the name at least is the same each time.
RAVEL_EXPORT char* ravel_mktemp(char* pattern) noexcept __asm__("mktemp");
RAVEL_EXPORT char* ravel_mktemp(char* pattern) noexcept {
  RAVEL_PASS_THROUGH(mktemp, pattern);
  const long result = make_unique("mktemp", pattern, 0, RAVEL_CALLER, [](const char* path) -> long {
    return call_for_program(SYS_access, reinterpret_cast<long>(path), F_OK) == 0 ? -EEXIST : 0;
  });
  if (as_call(result) < 0 && pattern != nullptr) *pattern = 0;
  return pattern;
}
