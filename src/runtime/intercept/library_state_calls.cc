// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Calls into the C library that share hidden state between threads: pseudo-random numbers and the environment. The
// library does the work; that other threads may have called it before is the schedule's business.
#include <stdlib.h>

#include "runtime/intercept/export.h"
#include "runtime/world/library_state.h"

using namespace ravel;
using namespace ravel::rt;

#define RAVEL_CHANGES(type, name, state, parameters, ...)    \
  RAVEL_EXPORT type name parameters noexcept {               \
    change_library_state(LibraryState::state, RAVEL_CALLER); \
    return real().name(__VA_ARGS__);                         \
  }

RAVEL_CHANGES(int, rand, kRandom, ())
RAVEL_CHANGES(void, srand, kRandom, (unsigned seed), seed)
RAVEL_CHANGES(long, random, kRandom, ())
RAVEL_CHANGES(void, srandom, kRandom, (unsigned seed), seed)
RAVEL_CHANGES(double, drand48, kRandom, ())
RAVEL_CHANGES(long, lrand48, kRandom, ())
RAVEL_CHANGES(long, mrand48, kRandom, ())
RAVEL_CHANGES(void, srand48, kRandom, (long seed), seed)
RAVEL_CHANGES(int, setenv, kEnvironment, (const char* name, const char* value, int overwrite), name, value, overwrite)
RAVEL_CHANGES(int, unsetenv, kEnvironment, (const char* name), name)
RAVEL_CHANGES(int, putenv, kEnvironment, (char* text), text)
RAVEL_CHANGES(int, clearenv, kEnvironment, ())

RAVEL_EXPORT char* getenv(const char* name) noexcept {
  read_library_state(LibraryState::kEnvironment, RAVEL_CALLER);
  return real().getenv(name);
}

RAVEL_EXPORT char* secure_getenv(const char* name) noexcept {
  read_library_state(LibraryState::kEnvironment, RAVEL_CALLER);
  return real().secure_getenv(name);
}
