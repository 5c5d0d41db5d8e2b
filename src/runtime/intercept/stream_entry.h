// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Before a call on a stream of the C library.
#pragma once

#include <stdio.h>

#include "runtime/state/state.h"
#include "runtime/sync/stream_lock.h"
#include "runtime/world/library_state.h"

namespace ravel::rt {

// The standard streams lead outside: nobody in the program sees in which order they were written. Who holds the stream
// is looked at last, since others run at a point.
inline void enter_stream(FILE* stream, bool changes, bool waits, LocationId location) {
  if (!g.in_control) return;
  if (stream != stdout && stream != stderr && stream != nullptr) {
    if (changes) {
      change_library_state(LibraryState::kStreams, location);
    } else {
      read_library_state(LibraryState::kStreams, location);
    }
  }
  if (waits && __builtin_expect(g_held_streams != 0, 0)) wait_for_stream(stream, location);
}

}  // namespace ravel::rt
