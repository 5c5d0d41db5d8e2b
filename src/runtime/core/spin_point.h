// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#pragma once

#include <cstdint>

#include "model/event.h"

namespace ravel::rt {

// Called before an operation that only reads, if it finds what stands at `address` now. True: an unchanged re-read that
// is to be executed without a point and without an event. May wait until something changed (spin_watch.h).
bool skip_unchanged_read(std::uintptr_t address, std::uint16_t size, LocationId location, OpKind kind);

}  // namespace ravel::rt
