// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Calls, answers, queues and messages that travel, of the toy machine.
#include "support/model_execution.h"

namespace ravel::toy {

bool Execution::act_meet(InboxState& inbox) {
  if (view_.kind == OpKind::kOpen) open_inbox(inbox, view_.value = step_.value);
  if (view_.kind == OpKind::kMeet) meet(inbox, transition_.thread + 1);
  if (view_.kind == OpKind::kSelect) {
    const std::vector<std::uint32_t> queues = queues_for(program_, state_, transition_.thread);
    thread_.serves = static_cast<std::uint32_t>(close_inbox(inbox));
    observed_ = thread_.serves;
    if (thread_.serves == 0 && queues.empty()) view_.bits |= kFailed;
    if (queues.empty()) return false;
    const std::uint32_t queue = queues[transition_.choice];
    const std::uint64_t number = ++state_.queues[queue].taken;
    view_.value = queue_place(queue);
    view_.size = select_number(number);
    observed_ = 100 + queue * 16 + static_cast<std::uint32_t>(number);
  }
  if (view_.kind == OpKind::kAccept || view_.kind == OpKind::kElse) {
    thread_.serves = static_cast<std::uint32_t>(close_inbox(inbox));
    observed_ = thread_.serves;
    if (thread_.serves == 0) view_.bits |= kFailed;
  }
  return false;
}

bool Execution::act_reply() {
  if (view_.kind == OpKind::kReturn) {
    thread_.replied = 0;
  } else {
    if (thread_.serves != 0) state_.threads[thread_.serves - 1].replied = 1;
    thread_.serves = 0;
  }
  return false;
}

bool Execution::act_queue(QueueState& queue) {
  const Answer answer = ask(queue, view_);
  view_.value = answer.fails ? 0 : answer.value;
  if (answer.fails) view_.bits |= kFailed;
  observed_ = static_cast<std::uint32_t>(view_.value);
  return !apply(queue, view_);
}

bool Execution::act_parcel() {
  if (view_.kind == OpKind::kCast) {
    state_.parcels[step_.at][transition_.thread] |= static_cast<std::uint8_t>(1u << thread_.casts);
    view_.value = message_of(transition_.thread, ++thread_.casts);
    return false;
  }
  view_.value = parcels_for(program_, state_, transition_.thread)[transition_.choice];
  const auto bit = static_cast<std::uint8_t>(1u << (static_cast<std::uint32_t>(view_.value) - 1));
  state_.parcels[step_.at][sender_of(view_.value)] &= static_cast<std::uint8_t>(~bit);
  observed_ = sender_of(view_.value) * 16 + static_cast<std::uint32_t>(view_.value);
  return false;
}

std::vector<std::uint32_t> queues_for(const Program& program, const State& state, std::uint32_t thread) {
  std::vector<std::uint32_t> result;
  const std::uint32_t at = step_of(program, state, thread).at;
  const InboxState& inbox = state.inboxes[at];
  if (inbox.served != 0) return result;
  for (std::uint32_t bit = 0; bit < kMostPorts; ++bit) {
    for (std::uint32_t queue = 0; queue < kObjects; ++queue) {
      if (state.enlisted[at][queue] != bit + 1 || !can_meet(inbox, bit)) continue;
      if (has_message(state.queues[queue])) result.push_back(queue);
    }
  }
  return result;
}

std::vector<std::uint64_t> parcels_for(const Program& program, const State& state, std::uint32_t thread) {
  std::vector<std::uint64_t> result;
  const Step& step = step_of(program, state, thread);
  for (std::uint32_t sender = 0; sender < program.threads.size(); ++sender) {
    bool overtakes = false;
    for (std::uint32_t number = 1; number <= 8; ++number) {
      if ((state.parcels[step.at][sender] >> (number - 1) & 1) == 0) continue;
      if (can_arrive(static_cast<std::uint16_t>(step.second), overtakes)) result.push_back(message_of(sender, number));
      overtakes = true;
    }
  }
  return result;
}

}  // namespace ravel::toy
