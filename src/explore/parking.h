// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Parking as exploration: one schedule for each place of the code, in which every thread that arrives there is held
// back until nobody else can go on (policy `park'). What comes between two steps of a thread, or before its step, is
// then reached in one execution however many threads there are: a window of one instruction is as wide as the program.
//
// Places are plain accesses that are points (racy ones, by default) and operations at which threads meet. New ones come
// first, points before operations; when all were tried they are tried again, with other seeds.
//
// Directed tries (directed_tries.h) are places that a race or a detector has named, and windows of atomic objects
// (atomic_windows.h). They have turns of their own.
//
// Kill-safe: lists grow behind counts that are part of the caller's state; what is beyond a count does not exist.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "base/counted_set.h"
#include "explore/atomic_windows.h"
#include "explore/directed_tries.h"
#include "explore/strategy.h"

namespace ravel {

class Parking {
 public:
  static constexpr std::uint32_t kMostPlaces = 4'096;

  // Trivially copyable: the strategy commits it.
  struct State {
    std::uint32_t points = 0;      // Execution::points that are in the list
    std::uint32_t places = 0;      // entries of the list of operations
    std::uint32_t next_point = 0;  // the first that was not tried
    std::uint32_t next_place = 0;
    std::uint32_t again = 0;           // places that were tried again
    std::uint32_t directed_again = 0;  // and directed tries
    DirectedTries::State tries;
  };

  // `directed`: whether what races and detectors name is tried by itself.
  explicit Parking(std::pmr::memory_resource& memory, bool directed = true);

  [[nodiscard]] static bool has_places(const State& s) { return s.points + s.places != 0; }
  // A directed try is next.
  [[nodiscard]] static bool is_directed(const State& s) { return DirectedTries::has_next(s.tries); }
  // ... and cannot wait.
  [[nodiscard]] static bool is_urgent(const State& s) { return DirectedTries::is_urgent(s.tries); }
  // A directed try is next, or those of several places can be run again with another seed.
  [[nodiscard]] static bool can_direct(const State& s) {
    return is_directed(s) || DirectedTries::repeatable(s.tries) != 0;
  }
  // One place. Seed and kind of the policy are set. Only if there are places.
  void fill(PolicySpec& policy, const State& s, std::uint64_t seed) const;
  // The same for a directed try. Only if can_direct().
  void fill_directed(PolicySpec& policy, const State& s, std::uint64_t seed) const;
  // What fill() or fill_directed() gave was run.
  static void advance(State& s);
  static void advance_directed(State& s);
  // `look`: also at the events, which takes time. How many things to try are new.
  std::uint32_t learn(State& s, const Execution& execution, bool look);

 private:
  void look_at_events(State& s, const TraceView& trace);
  std::uint32_t add_tries(State& s, const ExecutionResult& result);

  bool directed_;
  LocationId* points_;
  CountedSet<LocationId> places_;
  DirectedTries tries_;
  AtomicWindows windows_;
};

}  // namespace ravel
