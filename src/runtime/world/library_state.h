// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// State that the C library or the kernel keeps for the whole process: what one thread's call returns depends on the
// calls of others before it. Each such state is one word of ours; a call that changes it is an atomic
// read-modify-write of that word, a call that only looks at it a load. So the order of the calls is part of the
// schedule, and searches reason about it as about any other memory.
#pragma once

#include "model/event.h"
#include "model/library_objects.h"

namespace ravel::rt {

// Before the call, controlled or not. Nothing happens while no other thread has a part in it.
void change_library_state(LibraryState state, LocationId location);
void read_library_state(LibraryState state, LocationId location);

// Before a call that changes something for the whole process of which nobody knows who looks at it. A search that meets
// one beside other threads is not complete.
void change_setting(LocationId location);

}  // namespace ravel::rt
