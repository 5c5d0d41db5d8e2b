// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "runtime/sync/virtual_inbox.h"

#include <cstddef>

#include "base/invariant.h"
#include "runtime/record/recorder.h"
#include "runtime/schedule/gate.h"
#include "runtime/schedule/scheduler.h"
#include "runtime/state/parcels.h"
#include "runtime/sync/sync_operation.h"
#include "runtime/sync/virtual_queue.h"
#include "semantics/message.h"

namespace ravel::rt {

namespace {

static_assert(offsetof(ravel_inbox, queues) == sizeof(InboxState));
InboxState& state_of(std::uintptr_t inbox) {
  return *reinterpret_cast<InboxState*>(inbox);
}

bool is_served(const VirtualThread& thread) {
  return thread.wake != WakeReason::kNormal || state_of(thread.pending.address).served != 0;
}

}  // namespace

void inbox_join(ravel_end* end, ravel_inbox* inbox, std::uint64_t bit) {
  VirtualThread* const* list = nullptr;
  const std::uint32_t count = live_threads(list);
  for (std::uint32_t i = 0; i < count; ++i) {
    Pending& pending = list[i]->pending;
    if (pending.kind != OpKind::kMeet || pending.address != address_of(end)) continue;
    pending.value = address_of(inbox);
    pending.size = static_cast<std::uint16_t>(bit);
  }
  *end = {inbox, bit};
}

void inbox_open(ravel_inbox* inbox, std::uint64_t bits, LocationId location) {
  point(operation(OpKind::kOpen, inbox, location));
  open_inbox(state_of(address_of(inbox)), bits);
  record_pending(0, bits);
  changed();
}

void* inbox_accept(ravel_inbox* inbox, Patience patience, std::uint64_t deadline, LocationId location) {
  Pending pending = operation(patience == Patience::kNone ? OpKind::kElse : OpKind::kAccept, inbox, location);
  if (patience != Patience::kNone) {
    pending.deadline = deadline;
    pending.enabled = is_served;
  }
  point(pending);
  void* const call = reinterpret_cast<void*>(close_inbox(state_of(address_of(inbox))));
  const std::uint8_t missed = patience == Patience::kNone ? kFailed : kTimeout;
  record_pending(call == nullptr ? missed : 0, 0);
  changed();
  return call;
}

void inbox_enlist(ravel_inbox* inbox, ravel_enlisted* queue, LocationId location) {
  Pending pending = operation(OpKind::kEnlist, queue->queue, location);
  pending.value = address_of(inbox);
  pending.size = static_cast<std::uint16_t>(queue->bit);
  point(pending);
  ravel_enlisted** link = &inbox->queues;
  while (*link != nullptr) link = &(*link)->next;
  queue->next = nullptr;
  *link = queue;
  record_pending(0, packed(place_of_address(address_of(inbox))));
}

namespace {
// Which of the open queues that have a message. A sequence may say; else it is a choice. Plans need no sequence, so
// what it does not admit counts, too.
const ravel_enlisted* choose_queue(const ravel_inbox* inbox, std::uint32_t& options) {
  options = 0;
  std::uint32_t admitted = kNoAlternative;
  (void)find_queue(inbox, [&](const ravel_enlisted* one) {
    if (admitted == kNoAlternative && gate_admits_queue(address_of(inbox), address_of(one->queue))) admitted = options;
    ++options;
    return false;
  });
  if (options == 0) return nullptr;
  std::uint32_t left = options == 1 ? 0 : choose_or_take(options, admitted);
  return find_queue(inbox, [&](const ravel_enlisted*) { return left-- == 0; });
}
}  // namespace

void* inbox_select(ravel_inbox* inbox, Patience patience, std::uint64_t deadline, ravel_queue*& from,
                   LocationId location) {
  from = nullptr;
  Pending pending = operation(OpKind::kSelect, inbox, location);
  pending.bits = static_cast<std::uint8_t>(patience);
  if (patience != Patience::kNone) {
    pending.deadline = deadline;
    pending.enabled = [](const VirtualThread& thread) {
      return is_served(thread) || find_queue(reinterpret_cast<const ravel_inbox*>(thread.pending.address),
                                             [](const ravel_enlisted*) { return true; }) != nullptr;
    };
  }
  point(pending);
  InboxState& state = state_of(address_of(inbox));
  std::uint32_t options = 0;
  const ravel_enlisted* const chosen = state.served != 0 ? nullptr : choose_queue(inbox, options);
  set_operand(options);
  void* const call = reinterpret_cast<void*>(close_inbox(state));
  if (chosen == nullptr) {
    const std::uint8_t missed = patience == Patience::kNone ? kFailed : kFailed | kTimeout;
    record_pending(call == nullptr ? missed : 0, 0);
    changed();
    return call;
  }
  from = chosen->queue;
  ravel_message* const message = queue_take_first(from);
  INVARIANT(from->taken <= kMostSelected, "selects take fewer than 65,536 messages of one queue");
  g.current->pending.size = select_number(from->taken);
  record_pending(0, packed(place_of_address(address_of(from))));
  changed();
  return message;
}

void inbox_call(ravel_end* end, void* call, LocationId location) {
  Pending pending = operation(OpKind::kMeet, end, location);
  pending.value = address_of(end->inbox);
  pending.size = static_cast<std::uint16_t>(end->bit);
  pending.enabled = [](const VirtualThread& thread) {
    return can_meet(state_of(thread.pending.value), thread.pending.size);
  };
  point(pending);
  const std::uintptr_t inbox = g.current->pending.value;  // it may have become another one
  meet(state_of(inbox), address_of(call));
  record_pending(0, packed(place_of_address(inbox)));
  changed();
}

void call_reply(std::uint64_t* replied, LocationId location) {
  point(operation(OpKind::kReply, replied, location));
  *replied = 1;
  record_pending(0, 0);
  changed();
}

void call_return(std::uint64_t* replied, LocationId location) {
  Pending pending = operation(OpKind::kReturn, replied, location);
  pending.enabled = [](const VirtualThread& thread) {
    return *reinterpret_cast<const std::uint64_t*>(thread.pending.address) != 0;
  };
  point(pending);
  *replied = 0;
  record_pending(0, 0);
}

}  // namespace ravel::rt
