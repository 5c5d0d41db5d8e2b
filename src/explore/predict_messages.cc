// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Messages: rendezvous at an inbox, replies to calls, queues, messages that travel by themselves.
#include "explore/predictor.h"
#include "semantics/message.h"

namespace ravel {

void Predictor::meeting() {
  const std::uint64_t inbox = inbox_of(op_);
  InboxState state;
  replay(Steps::spot_of(inbox), [&](std::uint32_t, const OperationView& op) {
    if (family_of(op.kind) == OpFamily::kMeet && inbox_of(op) == inbox) (void)apply(state, op);
  });
  const Answer answer = ask(state, op_);
  if (!answer.enabled) return block(kNoStep);
  enable(answer.fails);
}

void Predictor::reply() {
  ReplyState state;
  replay(Steps::spot_of(op_.place), [&](std::uint32_t, const OperationView& op) {
    if (family_of(op.kind) == OpFamily::kReply && op.place == op_.place) (void)apply(state, op);
  });
  if (ask(state, op_).enabled) enable();
}

void Predictor::queue() {
  QueueState state;
  replay(Steps::spot_of(op_.place), [&](std::uint32_t, const OperationView& op) {
    if (family_of(op.kind) == OpFamily::kQueue && op.place == op_.place) (void)apply(state, op);
  });
  const Answer answer = ask(state, op_);
  if (!answer.enabled) return block(kNoStep);
  enable(answer.fails);
  result_.act.op.value = answer.value;
}

namespace {
struct Parcel {
  std::uint64_t message = 0;
  bool there = false;      // it was sent, and not received
  bool overtakes = false;  // one that its sender sent before is on its way
};
// What became of a message behind the selected steps.
Parcel parcel_at(const Selection& past, std::uint64_t place, std::uint64_t message) {
  Parcel parcel{message};
  std::uint32_t on_their_way = 0;  // of the sender, sent before it
  past.steps().index().forward(Steps::spot_of(place), [&](std::uint32_t i) {
    const OperationView& op = past.steps()[i].act.op;
    if (!past.has(i) || op.place != place || family_of(op.kind) != OpFamily::kParcel) return;
    const bool sends = op.kind == OpKind::kCast;
    if (op.value == message) parcel.there = sends;
    if (sender_of(op.value) != sender_of(message) || op.value >= message) return;
    on_their_way += sends ? 1 : ~std::uint32_t{0};
  });
  parcel.overtakes = on_their_way != 0;
  return parcel;
}
}  // namespace

bool can_be_delivered(const Selection& past, std::uint64_t place, std::uint16_t rules, std::uint64_t message) {
  const Parcel parcel = parcel_at(past, place, message);
  return parcel.there && can_arrive(rules, parcel.overtakes);
}

// By sender, as they are numbered in the execution, then in the order of sending.
std::uint32_t messages_at(const Selection& past, const OperationView& receive, std::uint32_t n, std::uint64_t* nth) {
  const Steps& steps = past.steps();
  std::uint32_t count = 0;
  *nth = 0;
  for (std::uint32_t column = 0; column < steps.columns(); ++column) {
    for (const std::uint32_t i : steps.index().of_column(column)) {
      const OperationView& op = steps[i].act.op;
      if (!past.has(i) || op.kind != OpKind::kCast || op.place != receive.place) continue;
      if (!can_be_delivered(past, op.place, receive.size, op.value)) continue;
      if (count++ == n) *nth = op.value;
    }
  }
  return count;
}

void Predictor::parcel() {
  if (op_.kind == OpKind::kCast) return enable();
  std::uint64_t first = 0;
  const std::uint32_t count = messages_at(past_, op_, 0, &first);
  const bool looks = (op_.size & kLooks) != 0;
  if (count == 0 && !looks) return;  // its operand is not about time
  enable(count == 0);
  result_.options = count;
  result_.act.op.value = first;
  if (count > 1) result_.act.choice = 0;
}

}  // namespace ravel
