// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What the program does that is not controlled is recorded, once per call and place, and reported by the tool: never
// silently let through. The list lives in shared memory and grows over all executions of a campaign.
#pragma once

#include "model/event.h"

namespace ravel::rt {

// `call`: the function or instruction; `detail`: what of it is not controlled (a path, an address family).
void note_uncontrolled(const char* call, const char* detail, LocationId location);

}  // namespace ravel::rt
