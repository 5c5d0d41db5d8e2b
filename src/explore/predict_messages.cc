// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Messages: rendezvous at an inbox, replies to calls, queues.
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

}  // namespace ravel
