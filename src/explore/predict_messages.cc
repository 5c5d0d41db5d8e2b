// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Messages: rendezvous at an inbox, replies to calls, queues, waiting for both, messages that travel by themselves.
#include "explore/predictor.h"
#include "semantics/message.h"

namespace ravel {

namespace {
InboxState inbox_at(const Selection& past, std::uint64_t inbox) {
  InboxState state;
  past.steps().index().forward(Steps::spot_of(inbox), [&](std::uint32_t i) {
    const OperationView& op = past.steps()[i].act.op;
    if (past.has(i) && family_of(op.kind) == OpFamily::kMeet && inbox_of(op) == inbox) (void)apply(state, op);
  });
  return state;
}
QueueState queue_at(const Selection& past, std::uint64_t place) {
  QueueState state;
  past.steps().index().forward(Steps::spot_of(place), [&](std::uint32_t i) {
    const OperationView& op = past.steps()[i].act.op;
    if (!past.has(i)) return;
    const bool own = family_of(op.kind) == OpFamily::kQueue && op.place == place;
    if (own || (takes_message(op) && op.value == place)) (void)apply(state, op);
  });
  return state;
}

// Calls visit(step) for the queues that are alternatives of the inbox, in the order of their bits: what enlisted them.
template <class Visit>
void visit_enlisted(const Selection& past, std::uint64_t inbox, Visit&& visit) {
  const Steps& steps = past.steps();
  for (std::uint32_t i = 0; i < steps.count(); ++i) {
    const OperationView& op = steps[i].act.op;
    if (op.kind == OpKind::kEnlist && op.value == inbox && past.has(i)) visit(steps[i]);
  }
}
}  // namespace

std::uint32_t queues_at(const Selection& past, const OperationView& select, std::uint32_t n, SelectedQueue& nth) {
  const InboxState inbox = inbox_at(past, select.place);
  std::uint32_t count = 0;
  visit_enlisted(past, select.place, [&](const Step& one) {
    if (!can_meet(inbox, one.act.op.size)) return;
    const QueueState queue = queue_at(past, one.act.op.place);
    if (has_message(queue) && count++ == n) nth = {&one, select_number(queue.taken + 1)};
  });
  return count;
}

bool is_open_to_queue(const Selection& past, const OperationView& select) {
  const InboxState inbox = inbox_at(past, select.place);
  bool open = false;
  visit_enlisted(past, select.place, [&](const Step& one) {
    if (one.act.op.place == select.value) open = can_meet(inbox, one.act.op.size) && inbox.served == 0;
  });
  return open;
}

bool can_be_selected(const Selection& past, const OperationView& select) {
  if (!is_open_to_queue(past, select)) return false;
  const QueueState queue = queue_at(past, select.value);
  return has_message(queue) && select_number(queue.taken + 1) == select.size;
}

// A call that was received comes before the messages that are there. Of these the first that a sequence admits is
// meant.
void Predictor::select() {
  OperationView& op = result_.act.op;
  op.value = op.size = 0;
  if (ask(inbox_at(past_, op_.place), op_).enabled) return enable(false);
  SelectedQueue queue;
  const std::uint32_t count = queues_at(past_, op_, 0, queue);
  if (count == 0) {  // its operand is not about time
    if (select_mode(op_) == SelectMode::kAtOnce) enable(true);
    return;
  }
  std::uint32_t choice = 0;
  while (choice < count && queues_at(past_, op_, choice, queue) != 0 && !admits_queue(past_, next_, *queue.enlisted)) {
    ++choice;
  }
  if (choice == count) return;
  enable(false);
  op.value = queue.enlisted->act.op.place;
  op.size = queue.number;
  result_.options = count;
  if (count > 1) result_.act.choice = choice;
}

void Predictor::meeting() {
  if (op_.kind == OpKind::kSelect) return select();
  const Answer answer = ask(inbox_at(past_, inbox_of(op_)), op_);
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
  const Answer answer = ask(queue_at(past_, op_.place), op_);
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
