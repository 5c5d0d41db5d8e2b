// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Sleeping and looking at the clock. A program that polls the clock makes time pass.
#pragma once

#include <cstdint>

#include "model/event.h"

namespace ravel::rt {

// False: a signal handler has interrupted it, or an injected fault.
bool sleep_until(std::uint64_t deadline, LocationId location);
void yield_now(LocationId location);
// The virtual time as the program sees it now.
std::uint64_t read_clock(LocationId location);

}  // namespace ravel::rt
