// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What an attempt on a synchronisation object yields. The callers translate it: the interception layer into errno
// values, the misuse detector into findings.
#pragma once

#include <cstdint>

namespace ravel {

enum class SyncResult : std::uint8_t {
  kOk,
  kBusy,          // not available now: a blocking call waits, a try call fails, a destroy is a misuse
  kSelfDeadlock,  // the calling thread waits for itself
  kNotOwner,      // released by a thread that does not hold it
  kNotLocked,     // released while nobody holds it
  kOverflow,      // recursion or semaphore counter at its limit
  kWrongMutex,    // two threads wait on one condition variable with different mutexes
  kInvalid,       // destroyed, or never initialised where that is needed
};

// States live in the program's own pthread objects: all zero bytes is a fresh object, and kDestroyed marks the end.
inline constexpr std::uint32_t kDestroyed = 0xffffffffu;

}  // namespace ravel
