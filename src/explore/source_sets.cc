// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The part of Reversals that is for source sets only. An execution runs on by itself behind its last branch, and may
// take an act that is asleep. From there on it repeats another one: only what came before counts, and from that node
// some other thread goes on. When nobody else can, the run was blocked by its sleep set.
#include "explore/reversal.h"

namespace ravel {

void Reversals::enter_initial(std::uint32_t depth, const Prediction& last) {
  std::uint32_t match = 0;
  const auto is_one = [&](NodeId id) { return begins(tree_[id], &match) && match < item_count_; };
  const std::uint32_t begin = depth == 0 ? 0 : sleepers_end_[depth - 1];
  for (std::uint32_t s = begin; s < sleepers_end_[depth]; ++s) {
    if (is_one(sleepers_[s])) return;
  }
  for (NodeId child = path_[depth + 1]; child != 0; child = tree_[child].next) {
    if (puts_to_sleep(child) && is_one(child)) return;
  }
  append_items(path_[depth], &last);
}

bool Reversals::is_asleep(std::uint32_t depth, std::uint32_t thread, std::uint32_t choice) const {
  for (std::uint32_t s = depth == 0 ? 0 : sleepers_end_[depth - 1]; s < sleepers_end_[depth]; ++s) {
    const Act& act = tree_[sleepers_[s]].act;
    if (act.op.thread == thread && act.choice == choice) return true;
  }
  return false;
}

std::uint32_t Reversals::first_asleep(std::uint32_t length) const {
  for (std::uint32_t d = 0; d < length; ++d) {
    const Act& taken = tree_[path_[d + 1]].act;
    if (is_asleep(d, taken.op.thread, taken.choice)) return d;
  }
  return length;
}

// `step` was asleep. The others go on as they did, as far as nobody waits for one that sleeps.
void Reversals::go_on_awake(std::uint32_t step) {
  const std::uint32_t depth = depth_of_[step];
  selection_.cut(step);
  for (std::uint32_t c = 0; c < steps_.columns(); ++c) {
    std::uint32_t first = step;
    while (first < steps_.count() && (steps_[first].column != c || !steps_[first].listed)) ++first;
    if (first == steps_.count() || !selection_.has(first)) continue;
    if (!is_asleep(depth, steps_[first].act.op.thread, steps_[first].act.choice)) continue;
    gather(nullptr, 0, steps_.count());
    for (std::uint32_t k = 0; k < item_count_; ++k) {
      if (items_[k].step == first && is_initial(k)) selection_.remove(first);
    }
  }
  gather(nullptr, 0, steps_.count());
  if (item_count_ != 0) return append_items(path_[depth]);
  for (std::uint32_t c = 0; c < steps_.columns(); ++c) {
    std::uint32_t first = step;
    while (first < steps_.count() && (steps_[first].column != c || !steps_[first].listed)) ++first;
    if (first != steps_.count() && branch_awake(depth, steps_[first])) return;
  }
  for (const Step& pending : steps_.pending()) {
    if (pending.previous == kNoStep || pending.previous < step) {
      if (branch_awake(depth, pending)) return;
    }
  }
}

// The thread's next operation as a branch, if it can run and is awake.
bool Reversals::branch_awake(std::uint32_t depth, const Step& next) {
  Prediction prediction = predict(selection_, next);
  if (prediction.enabled == Enabled::kMaybe) left_out_ = {next.act.op.kind, next.act.op.location};
  if (prediction.enabled != Enabled::kYes) return false;
  Act act = prediction.act;
  const std::uint32_t options = act.op.kind == OpKind::kChoice ? next.options : prediction.options;
  std::uint32_t choice = options > 1 ? 0 : kNoChoice;
  while (is_asleep(depth, act.op.thread, choice)) {
    if (options < 2 || ++choice == options) return false;
  }
  if (choice != kNoChoice) act = with_choice(prediction, choice).act;
  const NodeId branch =
      tree_.append(path_[depth], act, steps_.keys_of(act).mask, next.column, ScheduleTree::State::kWaiting);
  if (branch == 0) {
    out_of_room_ = true;
  } else {
    tree_.set_free(branch);
  }
  return true;
}

}  // namespace ravel
