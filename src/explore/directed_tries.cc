// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "explore/directed_tries.h"

#include "base/hash.h"
#include "base/invariant.h"

namespace ravel {
namespace {

constexpr std::uint32_t kSlots = 2 * DirectedTries::kLevels * DirectedTries::kMostSeen;

template <class T>
T* room(std::pmr::memory_resource& memory, std::size_t count) {
  return static_cast<T*>(memory.allocate(sizeof(T) * count, alignof(T)));
}

std::uint32_t count_of(const LocationId (&places)[kMaxParkPlaces]) {
  std::uint32_t count = 0;
  while (count < kMaxParkPlaces && places[count] != 0) ++count;
  return count;
}

// In any order; no place is twice in a list.
bool same_places(const LocationId (&one)[kMaxParkPlaces], const LocationId (&other)[kMaxParkPlaces]) {
  const std::uint32_t count = count_of(one);
  std::uint32_t common = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    for (std::uint32_t j = 0; j < kMaxParkPlaces; ++j) common += one[i] == other[j];
  }
  return common == count && count_of(other) == count;
}

// In a circle everybody has to be there; of a pair the order is what counts.
bool gathers_first(TryKind kind) {
  return kind == TryKind::kLockCircle || kind == TryKind::kLostSignal;
}

}  // namespace

DirectedTries::DirectedTries(std::pmr::memory_resource& memory) : slots_(room<std::uint32_t>(memory, kSlots)) {
  for (std::uint32_t level = 0; level < kLevels; ++level) entries_[level] = room<Entry>(memory, kMostSeen);
  for (std::uint32_t i = 0; i < kSlots; ++i) slots_[i] = 0;
}

bool DirectedTries::add(State& s, PlacePair pair, TryKind kind) {
  const LocationId places[] = {pair.first, pair.second};
  return add(s, places, kind);
}

bool DirectedTries::add(State& s, std::span<const LocationId> places, TryKind kind) {
  Entry all = {};
  std::uint32_t count = 0;
  for (const LocationId location : places) {
    bool known = location == 0 || count == kMaxParkPlaces;
    for (std::uint32_t i = 0; i < count && !known; ++i) known = all.at[i] == location;
    if (!known) all.at[count++] = location;
  }
  bool added = false;
  if (count > 1 && gathers_first(kind)) added = add_entry(s, all, kFirst);
  for (std::uint32_t i = 0; i < count; ++i) added |= add_entry(s, Entry{{all.at[i]}}, kFirst);
  if (count > 1 && !gathers_first(kind)) added |= add_entry(s, all, kTogether);
  return added;
}

bool DirectedTries::add_window(State& s, PlacePair pair) {
  Entry both = {{pair.first}};
  if (pair.second != pair.first) both.at[1] = pair.second;
  return add_entry(s, both, kWindow);
}

bool DirectedTries::contains(const State& s, LocationId place) const {
  return slots_[slot_of(s, Entry{{place}})] != 0;
}

bool DirectedTries::add_entry(State& s, const Entry& entry, Level level) {
  const std::uint32_t slot = slot_of(s, entry);
  List& list = s.lists[level];
  if (slots_[slot] != 0 || list.entries == kMostSeen) return false;
  entries_[level][list.entries] = entry;
  slots_[slot] = 1 + list.entries++ * kLevels + level;
  return true;
}

// Half of the slots are free at least: slots of steps that were taken back are used again.
std::uint32_t DirectedTries::slot_of(const State& s, const Entry& entry) const {
  std::uint64_t hash = 0;  // whatever the order
  for (const LocationId location : entry.at) hash += location == 0 ? 0 : mix64(location);
  auto slot = static_cast<std::uint32_t>(mix64(hash) % kSlots);
  for (;; slot = (slot + 1) % kSlots) {
    const Entry* other = find(s, slot);
    if (other == nullptr) {
      slots_[slot] = 0;
      return slot;
    }
    if (same_places(entry.at, other->at)) return slot;
  }
}

const DirectedTries::Entry* DirectedTries::find(const State& s, std::uint32_t slot) const {
  if (slots_[slot] == 0) return nullptr;
  const std::uint32_t level = (slots_[slot] - 1) % kLevels;
  const std::uint32_t at = (slots_[slot] - 1) / kLevels;
  return at < s.lists[level].entries ? &entries_[level][at] : nullptr;
}

DirectedTries::Level DirectedTries::level_of(const State& s) {
  std::uint32_t level = kFirst;
  while (level < kLevels && s.lists[level].next == s.lists[level].entries) ++level;
  return static_cast<Level>(level);
}

void DirectedTries::fill(PolicySpec& policy, const State& s) const {
  const Level level = level_of(s);
  INVARIANT(level != kLevels, "callers ask whether there is a try");
  park(policy, entries_[level][s.lists[level].next]);
}

void DirectedTries::fill_again(PolicySpec& policy, const State& s, std::uint32_t which) const {
  const std::uint32_t together = s.lists[kTogether].entries;
  park(policy, which < together ? entries_[kTogether][which] : entries_[kWindow][which - together]);
}

void DirectedTries::park(PolicySpec& policy, const Entry& entry) {
  policy.kind = PolicyKind::kPark;
  for (unsigned i = 0; i < kMaxParkPlaces; ++i) policy.park_at[i] = entry.at[i];
}

void DirectedTries::advance(State& s) {
  const Level level = level_of(s);
  INVARIANT(level != kLevels, "what was run was a try");
  ++s.lists[level].next;
}

}  // namespace ravel
