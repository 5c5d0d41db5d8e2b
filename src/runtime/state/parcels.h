// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Messages on their way to a port: a list that is sorted by sender, then in the order of sending. The queues of an
// inbox.
#pragma once

#include <cstdint>

#include "model/sequence.h"
#include "ravel/interface.h"
#include "semantics/message.h"

namespace ravel::rt {

// Calls visit(message) for those that can arrive now, until it yields true; that message, or nullptr.
template <class Visit>
ravel_message* find_parcel(const ravel_queue* queue, std::uint16_t rules, Visit&& visit) {
  const ravel_message* before = nullptr;
  for (ravel_message* one = queue->first; one != nullptr; before = one, one = one->next) {
    const bool overtakes = before != nullptr && sender_of(before->number) == sender_of(one->number);
    if (can_arrive(rules, overtakes) && visit(one)) return one;
  }
  return nullptr;
}

// Calls visit(enlisted) for the open queues of an inbox that have a message, until it yields true; that queue, or
// nullptr.
template <class Visit>
const ravel_enlisted* find_queue(const ravel_inbox* inbox, Visit&& visit) {
  for (const ravel_enlisted* one = inbox->queues; one != nullptr; one = one->next) {
    if ((inbox->open >> one->bit & 1) != 0 && one->queue->first != nullptr && visit(one)) return one;
  }
  return nullptr;
}

}  // namespace ravel::rt
