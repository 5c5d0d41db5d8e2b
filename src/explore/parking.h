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
// Directed tries come before all that. What a detector names (a lock circle, a lost signal, accesses that were
// interleaved, a use before the value was set) is a set of places: all of them together are one try, so that threads
// gather there, and each alone is another, which gives both orders of a pair. The two places of a race are new points,
// so they are tried at once as well.
//
// Where the ideas are from: Sen, "Race directed random testing of concurrent programs", PLDI 2008; Joshi, Park, Sen,
// Naik, "A randomized dynamic program analysis technique for detecting real deadlocks", PLDI 2009. Departures: no pair
// is needed, a place is enough; and what is held back is every thread that arrives.
//
// Kill-safe: lists grow behind counts that are part of the caller's state; what is beyond a count does not exist.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "explore/strategy.h"

namespace ravel {

class Parking {
 public:
  static constexpr std::uint32_t kMostPlaces = 4'096;
  static constexpr std::uint32_t kMostTries = 256;

  // Trivially copyable: the strategy commits it.
  struct State {
    std::uint32_t points = 0;      // Execution::points that are in the list
    std::uint32_t places = 0;      // entries of the list of operations
    std::uint32_t tries = 0;       // entries of the list of tries
    std::uint32_t next_point = 0;  // the first that was not tried
    std::uint32_t next_place = 0;
    std::uint32_t next_try = 0;
    std::uint32_t again = 0;  // places that were tried again
  };

  explicit Parking(std::pmr::memory_resource& memory);

  [[nodiscard]] static bool has_places(const State& s) { return s.points + s.places != 0; }
  // A directed try is next.
  [[nodiscard]] static bool is_directed(const State& s) { return s.next_try < s.tries; }
  // What is tried next; seed and kind of the policy are set. Only if there are places.
  void fill(PolicySpec& policy, const State& s, std::uint64_t seed) const;
  // What fill() gave was run.
  static void advance(State& s);
  // `look`: also at the events, which takes time.
  void learn(State& s, const Execution& execution, bool look);

 private:
  struct Try {
    LocationId at[kMaxParkPlaces];
  };

  void look_at_events(State& s, const TraceView& trace);
  void add_place(State& s, LocationId location);
  void add_tries(State& s, const DetectionRecord& found);
  void add_try(State& s, const Try& one);

  LocationId* points_;
  LocationId* places_;
  Try* tries_;
  std::uint32_t* slots_;  // hash of places_: place in the list + 1; stale ones are looked at
};

}  // namespace ravel
