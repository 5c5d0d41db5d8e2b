// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Messages that travel by themselves: which of those on their way arrives next is a choice (semantics/message.h).
#pragma once

#include <cstdint>

#include "ravel/interface.h"
#include "runtime/sync/virtual_inbox.h"

namespace ravel::rt {

void parcel_send(ravel_queue* queue, ravel_message* message, bool in_order, LocationId location);
// nullptr: none arrived in time.
ravel_message* parcel_receive(ravel_queue* queue, bool in_order, Patience patience, std::uint64_t deadline,
                              LocationId location);

}  // namespace ravel::rt
