// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Rendezvous: calls that a receiver is open to, and replies to them; and waiting for calls and messages at once
// (semantics/message.h).
#pragma once

#include <cstdint>

#include "model/event.h"
#include "ravel/interface.h"

namespace ravel::rt {

enum class Patience : int { kForEver, kNone, kUntil };

void inbox_join(ravel_end* end, ravel_inbox* inbox, std::uint64_t bit);
void inbox_open(ravel_inbox* inbox, std::uint64_t bits, LocationId location);
// nullptr: nobody called in time.
void* inbox_accept(ravel_inbox* inbox, Patience patience, std::uint64_t deadline, LocationId location);
void inbox_enlist(ravel_inbox* inbox, ravel_enlisted* queue, LocationId location);
// A call, or a message and the queue it is from.
void* inbox_select(ravel_inbox* inbox, Patience patience, std::uint64_t deadline, ravel_queue*& from,
                   LocationId location);
void inbox_call(ravel_end* end, void* call, LocationId location);
void call_reply(std::uint64_t* replied, LocationId location);
void call_return(std::uint64_t* replied, LocationId location);

}  // namespace ravel::rt
