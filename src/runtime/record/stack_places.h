// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Which function's frame a place on a stack lay in when it was touched: written down in a replay, so that the tool can
// say which variable it was. For people only: schedules and hashes name stack places by thread and offset.
#pragma once

#include <cstdint>

#include "model/event.h"

namespace ravel::rt {

struct VirtualThread;

// Whether this execution is one that is reported about afterwards.
bool names_stack_places();
void begin_stack_places();
// `address` lies at `offset` of `object`, which begins at `base`: the stack of `owner`.
void note_stack_place(const VirtualThread& owner, std::uintptr_t address, std::uintptr_t base, ObjectId object,
                      std::uintptr_t top);

}  // namespace ravel::rt
