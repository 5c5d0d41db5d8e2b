// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// DirectedTries: what something points at becomes a schedule soon. A race, a circle of locks, a lost signal, an
// interleaved pair of accesses or a use before the value was set is a few places of the
// code; threads are held back there (policy `park'): at each place alone, which gives both orders of a pair, and at all
// of them together, so that threads gather.
//
// First come, first served; places alone before places together, windows of atomic objects behind them. The same places
// are tried once, whoever names them. What nobody has seen but an analysis claims has a queue of its own
// (static_tries.h).
//
// Where the ideas are from: Sen, "Race directed random testing of concurrent programs", PLDI 2008; Joshi, Park, Sen,
// Naik, "A randomized dynamic program analysis technique for detecting real deadlocks", PLDI 2009. Departures: places
// without objects; every thread that arrives is held back, not one of them.
//
// Kill-safe: lists grow behind counts that are part of the caller's state; what is beyond a count does not exist.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>

#include "explore/strategy.h"

namespace ravel {

enum class TryKind : std::uint8_t {
  kRace,
  kLockCircle,
  kLostSignal,
  kAtomicity,
  kUseBeforeSet,
  kOther,
};

class DirectedTries {
 public:
  static constexpr std::uint32_t kMostSeen = 1'024;  // of each list

  struct List {
    std::uint32_t entries = 0;
    std::uint32_t next = 0;  // the first that was not tried
  };
  // Lists in the order in which they are tried. Trivially copyable: the strategy commits it.
  enum Level : std::uint32_t { kFirst, kTogether, kWindow, kLevels };
  struct State {
    List lists[kLevels];
  };

  explicit DirectedTries(std::pmr::memory_resource& memory);

  // Each place alone, and all together. False: all of that was named before, there are no places, or no room is left.
  bool add(State& s, std::span<const LocationId> places, TryKind kind);
  bool add(State& s, PlacePair pair, TryKind kind);
  // A window of an atomic object (atomic_windows.h): both places together, behind all that something was seen at.
  bool add_window(State& s, PlacePair pair);
  // Threads are, were or will be held back at this place alone.
  [[nodiscard]] bool contains(const State& s, LocationId place) const;

  [[nodiscard]] static bool has_next(const State& s) { return level_of(s) != kLevels; }
  // Something that an execution has shown waits, and has not been tried in any way.
  [[nodiscard]] static bool is_urgent(const State& s) { return level_of(s) == kFirst; }
  // Sets kind and places of the policy. Only if there is a next try.
  void fill(PolicySpec& policy, const State& s) const;
  // Those of several places, to be run again with other seeds.
  [[nodiscard]] static std::uint32_t repeatable(const State& s) {
    return s.lists[kTogether].entries + s.lists[kWindow].entries;
  }
  void fill_again(PolicySpec& policy, const State& s, std::uint32_t which) const;
  // What fill() gave was run.
  static void advance(State& s);

 private:
  struct Entry {
    LocationId at[kMaxParkPlaces];  // 0 ends the list
  };

  static void park(PolicySpec& policy, const Entry& entry);
  [[nodiscard]] static Level level_of(const State& s);
  bool add_entry(State& s, const Entry& entry, Level level);
  // Where the entry is, or would be.
  [[nodiscard]] std::uint32_t slot_of(const State& s, const Entry& entry) const;
  [[nodiscard]] const Entry* find(const State& s, std::uint32_t slot) const;

  Entry* entries_[kLevels];
  std::uint32_t* slots_;  // hash of all lists: 1 + place in the list * kLevels + level; may be stale
};

}  // namespace ravel
