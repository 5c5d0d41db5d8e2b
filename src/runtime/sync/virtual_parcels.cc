// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/sync/virtual_parcels.h"

#include "base/invariant.h"
#include "runtime/record/recorder.h"
#include "runtime/schedule/gate.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/state/parcels.h"
#include "runtime/sync/sync_operation.h"

namespace ravel::rt {

namespace {

void put_in(ravel_queue* queue, ravel_message* message) {
  ravel_message** link = &queue->first;
  while (*link != nullptr && (*link)->number < message->number) link = &(*link)->next;
  message->next = *link;
  *link = message;
  ++queue->put;
}
void take_out(ravel_queue* queue, const ravel_message* message) {
  ravel_message** link = &queue->first;
  while (*link != message) link = &(*link)->next;
  *link = message->next;
  ++queue->taken;
}

// Which of those that can arrive. A sequence may say; else it is a choice.
ravel_message* choose_parcel(const ravel_queue* queue, std::uint16_t rules, std::uint32_t& options) {
  options = 0;
  std::uint32_t admitted = kNoAlternative;
  (void)find_parcel(queue, rules, [&](const ravel_message* one) {
    if (admitted == kNoAlternative && gate_admits_message(address_of(queue), one->number)) admitted = options;
    ++options;
    return false;
  });
  if (options == 0) return nullptr;
  std::uint32_t left = options == 1 ? 0 : choose_or_take(options, admitted);
  return find_parcel(queue, rules, [&](const ravel_message*) { return left-- == 0; });
}

}  // namespace

void parcel_send(ravel_queue* queue, ravel_message* message, bool in_order, LocationId location) {
  Pending pending = operation(OpKind::kCast, queue, location);
  pending.size = in_order ? kInOrder : std::uint16_t{0};
  point(pending);
  INVARIANT(g.current->casts != 0xffff, "a thread sends fewer than 65,535 messages that travel by themselves");
  message->number = message_of(g.current->index, ++g.current->casts);
  put_in(queue, message);
  record_pending(0, message->number);
  changed();
}

ravel_message* parcel_receive(ravel_queue* queue, bool in_order, Patience patience, std::uint64_t deadline,
                              LocationId location) {
  Pending pending = operation(OpKind::kDeliver, queue, location);
  pending.size = in_order ? kInOrder : std::uint16_t{0};
  if (patience == Patience::kNone) pending.size |= kLooks;
  if (patience == Patience::kUntil) pending.size |= kWaitsFor;
  if (patience != Patience::kNone) {
    pending.deadline = deadline;
    pending.enabled = [](const VirtualThread& thread) {
      return thread.wake != WakeReason::kNormal ||
             reinterpret_cast<const ravel_queue*>(thread.pending.address)->first != nullptr;
    };
  }
  point(pending);
  std::uint32_t options = 0;
  ravel_message* const message = choose_parcel(queue, pending.size, options);
  set_operand(options);
  if (message == nullptr) {
    record_pending(static_cast<std::uint8_t>(patience == Patience::kNone ? kFailed : kFailed | kTimeout), 0);
    return nullptr;
  }
  take_out(queue, message);
  record_pending(0, message->number);
  changed();
  return message;
}

}  // namespace ravel::rt
