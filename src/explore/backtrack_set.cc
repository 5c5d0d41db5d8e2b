// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/backtrack_set.h"

namespace ravel {
namespace {

constexpr std::uint32_t kMostSteps = 64;   // along a bucket
constexpr std::uint32_t kMostToGo = 4;     // that one is drawn from when the set is full
constexpr std::uint32_t kMostDraws = 128;  // of any slot, until it is one of the bucket

template <class T>
T* room_for(std::pmr::memory_resource& memory, std::size_t count) {
  return static_cast<T*>(memory.allocate(sizeof(T) * count, alignof(T)));
}

}  // namespace

BacktrackSet::BacktrackSet(std::pmr::memory_resource& memory, Journal& journal, std::uint32_t room)
    : journal_(journal),
      runs_(room_for<Run>(memory, kMostRuns)),
      slots_(room_for<Slot>(memory, room)),
      heads_(room_for<std::uint32_t>(memory, std::size_t{kLevels} * kDistances)),
      members_(room_for<std::uint32_t>(memory, std::size_t{kLevels} * kDistances)),
      counts_(room_for<std::uint32_t>(memory, kLevels)),
      farthest_(room_for<std::uint32_t>(memory, kLevels)),
      room_(room) {
  for (std::uint32_t i = 0; i < kLevels * kDistances; ++i) {
    heads_[i] = kNone;
    members_[i] = 0;
  }
  for (std::uint32_t i = 0; i < kLevels; ++i) counts_[i] = farthest_[i] = 0;
}

std::uint32_t BacktrackSet::add_run(const Run& run) {
  if (run_count_ == kMostRuns || !journal_.has_room(1)) return kNone;
  runs_[run_count_] = run;
  journal_.set(run_count_, run_count_ + 1);
  return run_count_ - 1;
}

bool BacktrackSet::add(const State& state, Random& random) {
  if (!journal_.has_room(2 * kNotesPerChange)) return false;
  if (size_ == room_ && !make_room_for(bucket_of(state), random)) return true;
  std::uint32_t at = free_;
  if (at != kNone) {
    journal_.set(free_, slots_[at].next);
  } else {
    at = slot_count_;
    journal_.set(slot_count_, slot_count_ + 1);
  }
  const std::uint32_t bucket = bucket_of(state);
  Slot& slot = slots_[at];
  journal_.set(slot.state.run, state.run);
  journal_.set(slot.state.cut, state.cut);
  journal_.set(slot.state.choice, state.choice);
  journal_.set(slot.state.level, state.level);
  journal_.set(slot.state.distance, state.distance);
  journal_.set(slot.next, heads_[bucket]);
  journal_.set(slot.before, kNone);
  journal_.set(slot.bucket, bucket);
  if (heads_[bucket] != kNone) journal_.set(slots_[heads_[bucket]].before, at);
  journal_.set(heads_[bucket], at);
  journal_.set(members_[bucket], members_[bucket] + 1);
  std::uint32_t& count = counts_[bucket / kDistances];
  journal_.set(count, count + 1);
  std::uint32_t& farthest = farthest_[bucket / kDistances];
  if (bucket % kDistances > farthest) journal_.set(farthest, bucket % kDistances);
  journal_.set(size_, size_ + 1);
  if (size_ > most_) journal_.set(most_, size_);
  return true;
}

std::uint32_t BacktrackSet::one_of(std::uint32_t bucket, Random& random) const {
  const std::uint32_t members = members_[bucket];
  for (std::uint32_t i = 0; i < kMostDraws && members > kMostSteps; ++i) {
    const auto at = static_cast<std::uint32_t>(random.below(slot_count_));
    if (slots_[at].bucket == bucket) return at;
  }
  std::uint64_t nth = random.below(members < kMostSteps ? members : kMostSteps);
  std::uint32_t found = heads_[bucket];
  for (; nth != 0; --nth) found = slots_[found].next;
  return found;
}

BacktrackSet::State BacktrackSet::remove(std::uint32_t bucket, std::uint32_t at) {
  Slot& slot = slots_[at];
  journal_.set(slot.before == kNone ? heads_[bucket] : slots_[slot.before].next, slot.next);
  if (slot.next != kNone) journal_.set(slots_[slot.next].before, slot.before);
  journal_.set(slot.bucket, kNone);
  journal_.set(slot.next, free_);
  journal_.set(free_, at);
  journal_.set(members_[bucket], members_[bucket] - 1);
  std::uint32_t& count = counts_[bucket / kDistances];
  journal_.set(count, count - 1);
  journal_.set(size_, size_ - 1);
  return slot.state;
}

// The worst goes, unless that is the newcomer; of two that are alike either.
bool BacktrackSet::make_room_for(std::uint32_t newcomer, Random& random) {
  std::uint32_t level = 0;
  while (counts_[level] == 0) ++level;
  std::uint32_t worst = level * kDistances + farthest_[level];
  while (heads_[worst] == kNone) --worst;
  if (worst % kDistances != farthest_[level]) journal_.set(farthest_[level], worst % kDistances);
  const bool lower = newcomer / kDistances < level;
  const bool farther = newcomer / kDistances == level && newcomer > worst;
  if (lower || farther || (newcomer == worst && random.below(2) == 0)) return false;
  std::uint32_t goes = heads_[worst];  // one of the latest: that any goes is not worth drawing until one is found
  const std::uint32_t among = members_[worst] < kMostToGo ? members_[worst] : kMostToGo;
  for (std::uint64_t nth = random.below(among); nth != 0; --nth) goes = slots_[goes].next;
  (void)remove(worst, goes);
  return true;
}

bool BacktrackSet::take(State& out, Random& random) {
  if (size_ == 0 || !journal_.has_room(kNotesPerChange)) return false;
  std::uint32_t levels = 0;
  for (std::uint32_t i = 0; i < kLevels; ++i) levels += counts_[i] != 0;
  std::uint64_t nth = random.below(levels);
  std::uint32_t level = 0;
  while (counts_[level] == 0 || nth-- != 0) ++level;
  std::uint32_t bucket = level * kDistances;
  while (heads_[bucket] == kNone) ++bucket;
  out = remove(bucket, one_of(bucket, random));
  return true;
}

void BacktrackSet::clear() {
  for (std::uint32_t level = 0; level < kLevels; ++level) {
    if (counts_[level] == 0) continue;
    for (std::uint32_t i = 0; i <= farthest_[level]; ++i) {
      std::uint32_t& head = heads_[level * kDistances + i];
      if (head == kNone) continue;
      journal_.set(head, kNone);
      journal_.set(members_[level * kDistances + i], 0u);
    }
    journal_.set(counts_[level], 0u);
    journal_.set(farthest_[level], 0u);
  }
  journal_.set(free_, kNone);
  journal_.set(slot_count_, 0u);
  journal_.set(run_count_, 0u);
  journal_.set(size_, 0u);
}

bool BacktrackSet::write(PlanWriter& plan, const State& state) const {
  std::uint32_t segments = 1;
  for (std::uint32_t at = state.run; at != kNone; at = runs_[at].parent) ++segments;
  if (segments > plan.prefix.size()) return false;
  plan.spec.prefix_segments = segments;
  plan.prefix[--segments] = {state.choice, 1};
  std::uint32_t cut = state.cut;
  for (std::uint32_t at = state.run; at != kNone; at = runs_[at].parent) {
    plan.prefix[--segments] = {runs_[at].choice, cut};
    cut = runs_[at].cut;
  }
  return true;
}

}  // namespace ravel
