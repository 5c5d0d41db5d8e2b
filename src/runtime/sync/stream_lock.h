// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Locks of the C library's streams (flockfile). The library's own lock is never held over a switch: threads that hold a
// stream hold a virtual lock, and the stream functions of others wait for it.
#pragma once

#include <stdio.h>

#include "model/event.h"

namespace ravel::rt {

// How many streams somebody holds: while it is zero, stream functions need not look any further.
extern unsigned g_held_streams;

void stream_lock(FILE* stream, LocationId location);
bool stream_trylock(FILE* stream, LocationId location);
void stream_unlock(FILE* stream, LocationId location);
// Returns when no other thread holds it; nullptr: when no other thread holds any.
void wait_for_stream(FILE* stream, LocationId location);

}  // namespace ravel::rt
