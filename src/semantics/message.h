// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Messages. At an inbox a receiver says to which of its ports it is open; one call to one of them is received, and the
// inbox is closed until the receiver opens it again. So the calls themselves are what is ordered there: a caller that
// waits has done nothing that others see. A queue keeps what is sent until its receiver takes it, first in, first out;
// it can be one of the alternatives of an inbox. A message that travels by itself arrives when it likes, unless its
// sender has sent another one before.
#pragma once

#include <cstdint>
#include <type_traits>

#include "model/sequence.h"
#include "semantics/answer.h"

namespace ravel {

struct InboxState {
  std::uint64_t open = 0;    // a bit for each port
  std::uint64_t served = 0;  // the runtime's: the call that was received and not looked at yet
};
static_assert(sizeof(InboxState) == 16 && std::is_trivially_copyable_v<InboxState>);

inline constexpr std::uint32_t kMostPorts = 64;  // of one inbox

inline constexpr std::uint64_t inbox_of(const OperationView& op) {
  return op.kind == OpKind::kMeet ? op.value : op.place;
}
// A select at an inbox that has queues among its alternatives, by its order bits.
enum class SelectMode : std::uint8_t { kForEver, kAtOnce, kForSoLong };
inline constexpr SelectMode select_mode(const OperationView& op) {
  return static_cast<SelectMode>(op.bits & kOrderMask);
}
inline constexpr bool takes_message(const OperationView& op) {
  return op.kind == OpKind::kSelect && op.value != 0;
}
// Of a message, as far as an event of a select has room for it.
inline constexpr std::uint16_t select_number(std::uint64_t number) {
  return static_cast<std::uint16_t>(number);
}
inline constexpr bool is_message_of(const OperationView& put, const OperationView& select) {
  return takes_message(select) && put.place == select.value && select_number(put.value) == select.size;
}
inline constexpr std::uint64_t kMostSelected = 0xffff;  // messages of one queue
inline constexpr bool can_meet(const InboxState& inbox, std::uint32_t port) {
  return port < kMostPorts && (inbox.open >> port & 1) != 0;
}
inline void open_inbox(InboxState& inbox, std::uint64_t ports) {
  inbox = {ports, 0};
}
inline void meet(InboxState& inbox, std::uint64_t call) {
  inbox = {0, call};
}
// The receiver goes on, with the call or without one.
inline std::uint64_t close_inbox(InboxState& inbox) {
  const std::uint64_t call = inbox.served;
  inbox = {};
  return call;
}

inline Answer ask(const InboxState& inbox, const OperationView& op) {
  switch (op.kind) {
    case OpKind::kMeet:
      return {can_meet(inbox, op.size)};
    case OpKind::kAccept:
      return {inbox.served != 0};
    case OpKind::kElse:
      return {true, inbox.served == 0};
    case OpKind::kSelect:  // as far as calls go
      return {inbox.served != 0};
    default:
      return {};
  }
}
inline bool apply(InboxState& inbox, const OperationView& op) {
  const Answer before = ask(inbox, op);
  const bool gave_up = (op.bits & kTimeout) != 0;
  switch (op.kind) {
    case OpKind::kOpen:
      open_inbox(inbox, op.value);
      return true;
    case OpKind::kMeet:
      meet(inbox, 1);
      return before.enabled;
    case OpKind::kAccept:
      (void)close_inbox(inbox);
      return before.enabled != gave_up;
    case OpKind::kElse:
      (void)close_inbox(inbox);
      return before.fails == did_fail(op);
    case OpKind::kSelect:
      (void)close_inbox(inbox);
      return before.enabled == (!takes_message(op) && !did_fail(op));
    default:
      return true;
  }
}

// Of one call.
struct ReplyState {
  bool replied = false;
};
inline Answer ask(const ReplyState& reply, const OperationView& op) {
  return {op.kind != OpKind::kReturn || reply.replied};
}
inline bool apply(ReplyState& reply, const OperationView& op) {
  const bool agrees = ask(reply, op).enabled;
  reply.replied = op.kind == OpKind::kReply;
  return agrees;
}

// Of a message, when its receiver is ready. `overtakes`: one that its sender sent to the port before is on its way.
inline constexpr bool can_arrive(std::uint16_t rules, bool overtakes) {
  return (rules & kInOrder) == 0 || !overtakes;
}

struct QueueState {
  std::uint64_t put = 0;
  std::uint64_t taken = 0;
};
inline constexpr bool has_message(const QueueState& queue) {
  return queue.taken < queue.put;
}
// `value`: the message's number.
inline Answer ask(const QueueState& queue, const OperationView& op) {
  switch (op.kind) {
    case OpKind::kPut:
      return {true, false, queue.put + 1};
    case OpKind::kTake:
      return {has_message(queue), false, queue.taken + 1};
    case OpKind::kTryTake:
      return {true, !has_message(queue), has_message(queue) ? queue.taken + 1 : 0};
    default:
      return {};
  }
}
inline bool apply(QueueState& queue, const OperationView& op) {
  if (op.kind == OpKind::kSelect) {
    ++queue.taken;
    return queue.taken <= queue.put;
  }
  const Answer before = ask(queue, op);
  if (did_fail(op)) return op.kind == OpKind::kTake || before.fails;
  ++(op.kind == OpKind::kPut ? queue.put : queue.taken);
  return before.enabled && !before.fails;
}

}  // namespace ravel
