// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Messages on their way to a port: a list that is sorted by sender, then in the order of sending.
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

}  // namespace ravel::rt
