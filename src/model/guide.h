// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A sequence of places that an execution is to be driven along, with the static distances to each of them, as policy
// `guided' sees it; what the policy says about its choices, and the states that a search has been in. Plain data.
//
// A place of an operation is the innermost location of its call stack, the operation's own first, that `places` lists:
// the user's code, whatever library code is in between.
//
// Invariants: `places` is sorted by location, so are the locations of an entry; `distances` has one row of
// columns() numbers per row number in use. The last column is the failing places, once the sequence is used up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/hash.h"
#include "base/sorted.h"
#include "model/event.h"
#include "model/property.h"
#include "model/slice.h"

namespace ravel {

inline constexpr std::uint32_t kMaxGoalEntries = 64;
inline constexpr std::uint32_t kMaxGoalRoles = 8;
inline constexpr std::uint32_t kFarAway = 0xffffffffu;  // as a distance: never gets there

// Which operations at the locations are meant. Bits.
enum GoalOperations : std::uint32_t {
  kGoalReads = 1u << 0,
  kGoalWrites = 1u << 1,
  kGoalLocks = 1u << 2,
  kGoalUnlocks = 1u << 3,
  kGoalWaits = 1u << 4,
  kGoalNotifies = 1u << 5,
  kGoalOthers = 1u << 6,
  kGoalAny = (1u << 7) - 1,
};

// One place of the sequence.
struct GoalEntry {
  std::uint32_t begin = 0;  // of Guide::locations
  std::uint32_t end = 0;
  std::uint32_t operations = kGoalAny;
  std::uint32_t role = 0;  // entries of one role are one thread's, those of two roles two threads'; 0: anybody's
  std::uint32_t mark = 0;  // not 0: the mark with this name (mark_number)
};

struct GuidePlace {
  LocationId location = 0;
  std::uint32_t leaving = 0;           // least distance to the end of the function
  std::uint32_t row = 0;               // of the distances from here
  std::uint32_t start_row = kFarAway;  // of those from the beginning of the threads created here; kFarAway: none are
  // Of those from where the call returns to: whom it has called is known then, the receiver of a virtual call too.
  std::uint32_t return_row = kFarAway;
};

struct Guide {
  std::span<const GoalEntry> entries{};
  std::span<const LocationId> locations{};
  std::span<const GuidePlace> places{};
  std::span<const std::uint32_t> distances{};
  std::span<const SliceThread> slice{};      // of a sliced search: its threads
  std::span<const std::uint32_t> lines{};    // ... beside `places`: the line, if it is part of the slice; else 0
  std::span<const PropertyStep> property{};  // how far the values in memory are from a failure

  [[nodiscard]] std::size_t columns() const { return entries.size() + 1; }
  [[nodiscard]] std::uint32_t distance(std::uint32_t row, std::uint32_t column) const {
    const std::size_t at = row * columns() + column;
    return row == kFarAway || at >= distances.size() ? kFarAway : distances[at];
  }
  [[nodiscard]] std::uint32_t line_of(const GuidePlace& place) const {
    const auto at = static_cast<std::size_t>(&place - places.data());
    return at < lines.size() ? lines[at] : 0;
  }
  // nullptr: not the user's code.
  [[nodiscard]] const GuidePlace* find(LocationId location) const {
    const std::size_t at = first_not(places.size(), [&](std::size_t i) { return places[i].location < location; });
    return at < places.size() && places[at].location == location ? &places[at] : nullptr;
  }
  [[nodiscard]] bool holds(const GoalEntry& entry, LocationId location) const {
    for (std::uint32_t i = entry.begin; i < entry.end; ++i) {
      if (locations[i] == location) return true;
    }
    return false;
  }
};

// A name as operations carry it. Never 0.
inline std::uint32_t mark_number(const char* name, std::size_t length) {
  std::uint64_t hash = length;
  for (std::size_t i = 0; i < length; ++i) hash = mix64(hash * 257 + static_cast<unsigned char>(name[i]));
  const auto number = static_cast<std::uint32_t>(hash >> 32);
  return number == 0 ? 1 : number;
}

// What an alternative of a decision is worth.
struct RankedChoice {
  std::uint64_t state = 0;     // key of the state behind it
  std::uint32_t decision = 0;  // its number in the execution
  std::uint32_t choice = 0;    // as Segment::thread
  std::uint32_t level = 0;     // entries of the sequence that are observed behind it
  std::uint32_t distance = 0;  // to the next entry, least over all threads
};
inline constexpr std::uint32_t kMaxRanked = 1u << 18;  // of one execution

// How far one execution has come along the sequence, as the policy sees it.
struct GuideProgress {
  std::uint32_t level = 0;
  std::uint32_t ranked = 0;   // entries of the log
  std::uint64_t states = 0;   // pairs of a decision and a thread that were ranked; of a sliced search decisions
  std::uint32_t inexact = 0;  // not 0: keys of states may be equal though the states are not
  std::uint32_t known_from = 0xffffffffu;  // of a sliced search: the decision before which its state was visited
};

// Keys of states, in open addressing; a strategy adds, a policy asks.
struct VisitedStates {
  static constexpr std::uint32_t kSlots = 1u << 20;
  std::uint64_t keys[kSlots] = {};

  // The slot that has the key, or where it would go.
  [[nodiscard]] std::uint32_t slot_of(std::uint64_t key) const {
    auto at = static_cast<std::uint32_t>(mix64(key) % kSlots);
    for (std::uint32_t tried = 0; keys[at] != 0 && keys[at] != key && tried < kSlots; ++tried) at = (at + 1) % kSlots;
    return at;
  }
  [[nodiscard]] bool contains(std::uint64_t key) const { return keys[slot_of(key)] == key; }
};

// What a policy of guided searches is given beside its spec.
struct GuideSeat {
  Guide guide{};
  GuideProgress* progress = nullptr;
  std::span<RankedChoice> log{};
  const VisitedStates* visited = nullptr;
  const std::uint32_t* decisions = nullptr;  // made so far
  SliceSeen* seen = nullptr;
  // The call stack of a live thread, innermost call first, without the pending operation itself. Yields how many.
  std::uint32_t (*calls)(ThreadIndex thread, LocationId* out, std::uint32_t room) = nullptr;
  // What a live thread was started with: equal for threads that run one routine on equal arguments. 0: unknown.
  std::uint64_t (*started_with)(ThreadIndex thread) = nullptr;
  const unsigned char* image = nullptr;  // where the program's file is mapped, as offsets of PropertyStep count
};

}  // namespace ravel
