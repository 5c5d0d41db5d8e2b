// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// State of the C library and the kernel that threads share (files, the environment, rand) is a word of the runtime in a
// trace, and calls are atomic accesses to it: their order matters, but the program has no such memory. These words are
// an object of kind kOther with an owner of its own, other memory that was mapped has owner 0.
#pragma once

#include <cstddef>

#include "model/tables.h"

namespace ravel {

inline constexpr std::uint32_t kLibraryOwner = 1;

enum class LibraryState : unsigned {
  kRandom,       // rand, random, drand48 and their kin
  kEnvironment,  // getenv, setenv
  kDescriptors,  // the lowest free number is the next
  kKeys,         // pthread_key_create
  kFiles,        // names and contents of files, positions, the working folder
  kStreams,      // what the C library's streams keep in their buffers
  // Behind the locks of files in a trace.
  kTokens,        // strtok
  kExitHandlers,  // atexit and its kin: the last one registered is the first to be called
  kNames,         // pthread_setname_np
  kChildren,      // wait: whoever asks first is told
  kDatabases,     // getpwnam, gethostbyname and their kin: where they stand, and what they answered last
  kMultibyte,     // mbtowc and its kin: the shift state
  kSearchTable,   // hsearch
  kCount
};
inline constexpr unsigned kLibraryStates = static_cast<unsigned>(LibraryState::kCount);
inline constexpr unsigned kFirstStates = static_cast<unsigned>(LibraryState::kTokens);
inline constexpr unsigned kFileLocks = 64;

// The object: offsets in traces are offsets in here.
struct LibraryWords {
  std::uint64_t first[kFirstStates];       // changes so far, of each state
  std::uint32_t file_locks[kFileLocks];    // changes of who holds the lock of a file, in the order of first use
  std::uint32_t record_locks[kFileLocks];  // the same of locks of its ranges
  std::uint64_t further[kLibraryStates - kFirstStates];  // as `first`

  [[nodiscard]] std::uint64_t& changes(LibraryState state) {
    const auto number = static_cast<unsigned>(state);
    return number < kFirstStates ? first[number] : further[number - kFirstStates];
  }
};

inline bool is_library_object(const ObjectRecord& object) {
  return object.kind == ObjectKind::kOther && object.owner == kLibraryOwner;
}

}  // namespace ravel
