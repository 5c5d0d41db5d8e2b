// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Queues of messages: sent by anybody, received by one thread at a time (semantics/message.h).
#pragma once

#include <cstdint>

#include "ravel/interface.h"
#include "runtime/sync/virtual_inbox.h"

namespace ravel::rt {

// Without a point and an event; there is one.
ravel_message* queue_take_first(ravel_queue* queue);
void queue_put(ravel_queue* queue, ravel_message* message, LocationId location);
// nullptr: there was none in time.
ravel_message* queue_take(ravel_queue* queue, Patience patience, std::uint64_t deadline, LocationId location);

}  // namespace ravel::rt
