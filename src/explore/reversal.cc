// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/reversal.h"

#include "base/hash.h"

namespace ravel {
namespace {

constexpr std::uint32_t kMostSleepers = 1u << 21;

template <class T>
T* room(std::pmr::memory_resource& memory, std::size_t count) {
  return static_cast<T*>(memory.allocate(sizeof(T) * count, alignof(T)));
}

// Nothing but that: the program does not end in it either.
bool only_reads(const Act& act) {
  return !act.ends && reads_only(act);
}

}  // namespace

Reversals::Reversals(std::pmr::memory_resource& memory, const Steps& steps, ScheduleTree& tree, Sets sets)
    : steps_(steps),
      tree_(tree),
      sets_(sets),
      selection_(steps, memory),
      items_(room<Item>(memory, Steps::kMaxSteps + 1)),
      depth_of_(room<std::uint32_t>(memory, Steps::kMaxSteps)),
      sleepers_(room<NodeId>(memory, kMostSleepers)),
      sleepers_end_(room<std::uint32_t>(memory, Steps::kMaxSteps + 1)),
      cover_(room<std::uint32_t>(memory, ThreadNames::kMost)) {}

bool Reversals::enter_all(const NodeId* path, std::uint32_t length) {
  path_ = path;
  out_of_room_ = false;
  reads_commute_ = dependence_rule == &dependent;
  left_out_ = {};
  std::uint32_t depth = 0;
  for (std::uint32_t i = 0; i < steps_.count(); ++i) {
    depth_of_[i] = depth;
    if (steps_[i].listed) ++depth;
  }
  collect_sleepers(path, length);
  awake_ = sets_ == Sets::kSource ? first_asleep(length) : length;
  end_ = 0;
  while (end_ < steps_.count() && (!steps_[end_].listed || depth_of_[end_] != awake_)) ++end_;
  for (std::uint32_t i = 0; i < end_ && !out_of_room_; ++i) {
    bound_ = i;
    reverse_before(steps_[i], i);
    if (steps_[i].options > 1 && steps_[i].listed) other_choices(i);
  }
  if (end_ < steps_.count()) {
    go_on_awake(end_);
    return !out_of_room_;
  }
  bound_ = end_;
  for (const Step& step : steps_.pending()) reverse_before(step, steps_.count());
  return !out_of_room_;
}

// Asleep at a node: the branches before the one taken, there or further up, as long as nothing conflicting came since.
void Reversals::collect_sleepers(const NodeId* path, std::uint32_t length) {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  const auto put = [&](NodeId id) {
    if (end != kMostSleepers) sleepers_[end++] = id;
  };
  for (std::uint32_t d = 0; d < length; ++d) {
    for (NodeId child = tree_[path[d]].child; child != 0 && child != path[d + 1]; child = tree_[child].next) {
      if (puts_to_sleep(child)) put(child);
    }
    sleepers_end_[d] = end;
    const std::uint32_t kept_from = end;
    if (begin != end) {
      const ScheduleTree::Node& taken = tree_[path[d + 1]];
      const bool reads = only_reads(taken.act);
      for (std::uint32_t s = begin; s < kept_from; ++s) {
        const ScheduleTree::Node& asleep = tree_[sleepers_[s]];
        const bool apart = asleep.act.op.thread != taken.act.op.thread &&
                           are_apart(asleep.keys, only_reads(asleep.act), taken.keys, reads);
        if (apart || !conflict(asleep.act, taken.act)) put(sleepers_[s]);
      }
    }
    begin = kept_from;
    if (end == kMostSleepers) out_of_room_ = true;
  }
}

void Reversals::reverse_before(const Step& later, std::uint32_t bound) {
  if (later.previous != kNoStep) {
    steps_.set_clock(cover_, steps_.clock(later.previous));
  } else {
    for (std::uint32_t c = 0; c < steps_.columns(); ++c) cover_[c] = 0;
  }
  steps_.visit_related(later, bound, [&](std::uint32_t j) {
    const Step& earlier = steps_[j];
    if (earlier.column == later.column || earlier.position <= cover_[earlier.column]) return Steps::Related::kOrdered;
    if (earlier.phase == later.phase) {
      if (!conflict(earlier.act, later.act)) return Steps::Related::kOpen;
    } else {
      // What timed out in a later phase was an ordinary attempt in this one.
      Act asked = later.act;
      asked.op.bits &= static_cast<std::uint8_t>(~(kFailed | kTimeout));
      if (!conflict(earlier.act, asked)) return Steps::Related::kOpen;
    }
    if (!earlier.listed || !reverse(j, later)) return Steps::Related::kOpen;
    steps_.join(cover_, steps_.clock(j));
    return Steps::Related::kOrdered;
  });
}

// False: `later` could not have run before `earlier`, or nobody knows.
bool Reversals::reverse(std::uint32_t earlier, const Step& later) {
  tree_.fetch(tree_[path_[depth_of_[earlier] + 1]].next);
  const Prediction prediction = predict_before(selection_, earlier, later);
  if (prediction.enabled == Enabled::kNo) return false;
  enter(earlier, prediction, later);
  // One alternative may be asleep and another not.
  for (std::uint32_t choice = 1; sets_ == Sets::kSource && choice < prediction.options; ++choice) {
    enter(earlier, with_choice(prediction, choice), later);
  }
  return prediction.enabled == Enabled::kYes;
}

void Reversals::other_choices(std::uint32_t step) {
  const Step& taken = steps_[step];
  std::uint32_t next = step + 1;
  while (next < steps_.count() && steps_[next].column != taken.column) ++next;
  choice_follows_ = next < steps_.count() && steps_[next].act.op.kind == OpKind::kChoice;
  for (std::uint32_t choice = 0; choice < taken.options; ++choice) {
    if (choice == taken.act.choice) continue;
    selection_.cut(step);
    Prediction same;
    same.enabled = Enabled::kYes;
    same.act = taken.act;
    enter(step, with_choice(same, choice), taken);
  }
  choice_follows_ = false;
}

Prediction Reversals::with_choice(const Prediction& prediction, std::uint32_t choice) const {
  Prediction other = prediction;
  other.act.choice = choice;
  if (other.act.op.kind == OpKind::kCondSignal) {
    std::uint32_t woken = kNoThread;
    (void)waiters_at(selection_, other.act.op.place, choice, &woken);
    other.act.op.value = woken;
  } else if (other.act.op.kind == OpKind::kDeliver) {
    std::uint64_t message = 0;
    (void)messages_at(selection_, other.act.op, choice, &message);
    other.act.op.value = message;
  } else if (other.act.op.kind == OpKind::kSelect) {
    SelectedQueue queue;
    if (queues_at(selection_, other.act.op, choice, queue) > choice) {
      other.act.op.value = queue.enlisted->act.op.place;
      other.act.op.size = queue.number;
    }
  } else {
    other.act.op.value = choice;
  }
  return other;
}

void Reversals::gather(const Act* last, ThreadIndex thread, std::uint32_t end) {
  item_count_ = 0;
  selection_.visit_rest(end, [&](std::uint32_t i) {
    const Step& step = steps_[i];
    if (!step.listed) return;
    items_[item_count_++] = {&step.act,   step.keys.mask,       i,    step.position, step.act.op.thread.number(),
                             step.column, only_reads(step.act), false};
  });
  if (last == nullptr) return;
  const std::uint64_t keys = steps_.keys_of(*last).mask;
  items_[item_count_++] = {last, keys, kNoStep, 0, last->op.thread.number(), thread, only_reads(*last), false};
}

bool Reversals::is_initial(std::uint32_t item) const {
  const Item& it = items_[item];
  const bool is_last = it.step == kNoStep;
  const std::uint32_t before = is_last ? previous_of_last_ : it.step;
  const std::uint32_t* const clock = before == kNoStep ? nullptr : steps_.clock(before);
  for (std::uint32_t k = 0; k < item; ++k) {
    const Item& other = items_[k];
    if (other.gone) continue;
    if (clock != nullptr && other.position <= clock[other.thread]) return false;
    if (!is_last) continue;
    const bool apart = other.name != it.name && are_apart(other.keys, other.reads, it.keys, it.reads);
    if (!apart && conflict(*other.act, *it.act)) return false;
  }
  return true;
}

// Could a schedule that continues the items begin with this act? *match is the item it is, if it is one of them.
bool Reversals::begins(const ScheduleTree::Node& branch, std::uint32_t* match) const {
  const Act& act = branch.act;
  const std::uint64_t keys = branch.keys;
  const std::uint32_t name = act.op.thread.number();
  const bool reads = only_reads(act);
  *match = item_count_;
  for (std::uint32_t k = 0; k < item_count_; ++k) {
    const Item& item = items_[k];
    if (item.gone) continue;
    if (item.name == name) {
      *match = k;
      return item.act->choice == act.choice && is_initial(k);
    }
    if (!are_apart(item.keys, item.reads, keys, reads) && conflict(*item.act, act)) return false;
  }
  return true;
}

// Are the items explored behind the branch, whatever comes of a guess that it is part of? The guess may turn out to be
// impossible: they stay then if the branch is one of them and the way goes on behind it. The end of a guess never leads
// to anything else: it was entered although something asleep may have been able to begin it, so what is run behind it
// may be nothing new.
bool Reversals::leads_on(const ScheduleTree::Node& branch, std::uint32_t match) const {
  if (branch.ends_guess) return false;
  if (!branch.guess) return true;
  if (match == item_count_) return false;
  for (std::uint32_t k = 0; k < item_count_; ++k) {
    if (k != match && !items_[k].gone) return true;
  }
  return false;
}

void Reversals::enter(std::uint32_t at, const Prediction& last, const Step& next) {
  gather(&last.act, next.column, end_);
  previous_of_last_ = next.previous;
  const std::uint32_t depth = depth_of_[at];
  if (sets_ == Sets::kSource) {
    enter_initial(depth, last);
    gather(&last.act, next.column, bound_);
    return enter_initial(depth, last);
  }
  NodeId node = path_[depth];
  std::uint32_t match = 0;
  const std::uint32_t begin = depth == 0 ? 0 : sleepers_end_[depth - 1];
  for (std::uint32_t s = begin; s < sleepers_end_[depth]; ++s) {
    if (begins(tree_[sleepers_[s]], &match)) return;
  }
  if (begins(tree_[path_[depth + 1]], &match)) return;
  // Down the branches behind as far as they agree; where none does, the rest becomes a new branch.
  NodeId child = tree_[path_[depth + 1]].next;
  while (child != 0) {
    const ScheduleTree::Node& branch = tree_[child];
    if (branch.withdrawn || !begins(branch, &match) || !leads_on(branch, match)) {
      child = branch.next;
      continue;
    }
    if (branch.free) return;  // a branch whose continuation is open leads there
    if (match < item_count_) items_[match].gone = true;
    node = child;
    child = branch.child;
  }
  append_items(node, &last);
}

std::uint64_t Reversals::items_hash() const {
  std::uint64_t hash = 1;
  for (std::uint32_t k = 0; k < item_count_; ++k) {
    const Act& act = *items_[k].act;
    if (items_[k].gone) continue;
    hash = hash_combine(hash, hash_combine(act.op.thread, static_cast<std::uint64_t>(act.op.kind)));
    hash = hash_combine(hash, act.choice);
  }
  return hash;
}

bool Reversals::was_tried(NodeId node, std::uint64_t which) const {
  for (NodeId child = tree_[node].child; child != 0; child = tree_[child].next) {
    if (tree_[child].tried == which) return true;
  }
  return false;
}

void Reversals::append_items(NodeId node, const Prediction* last) {
  const bool guess = last != nullptr && last->enabled == Enabled::kMaybe;
  const std::uint64_t which = guess ? items_hash() : 0;
  if (guess && was_tried(node, which)) return;
  NodeId end = node;
  const auto append = [&](const Item& item) {
    if (item.gone || out_of_room_) return;
    const NodeId added = tree_.append(end, *item.act, item.keys, item.thread, ScheduleTree::State::kWaiting);
    out_of_room_ = added == 0;
    if (added == 0) return;
    if (guess) tree_.set_guess(added);
    if (guess && end == node) tree_.set_tried(added, which);
    if (item.step == kNoStep && last != nullptr && last->open) tree_.set_open(added);
    end = added;
  };
  // Another alternative of a choice depends on none of the others, and is taken as soon as its thread gets there: a
  // choice is no scheduling point. Neither is another choice behind it: nobody comes between them.
  std::uint32_t count = item_count_;
  if (count != 0 && items_[count - 1].act->op.kind == OpKind::kChoice) {
    append(items_[--count]);
    if (choice_follows_) count = 0;
  }
  for (std::uint32_t k = 0; k < count; ++k) append(items_[k]);
  if (end == node) return;
  tree_.set_free(end);
  if (guess) tree_.set_ends_guess(end);
}

}  // namespace ravel
