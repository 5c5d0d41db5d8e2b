// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// States that a guided search may come back to, by level (how much of the sequence was observed) and distance to the
// next place. Of limited size: when it is full the state of the lowest level with the largest distance goes. Taken is
// one of a level drawn at random among those that have any, of the least distance there, ties at random.
//
// A state is a schedule that was run in part, and one choice behind it. Schedules are a tree of runs of equal choices:
// what executions have in common is kept once.
//
// Kill-safe: changes go through the caller's journal; runs are written behind a count that is journalled.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "base/journal.h"
#include "base/random.h"
#include "explore/strategy.h"
#include "model/guide.h"

namespace ravel {

class BacktrackSet {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  static constexpr std::uint32_t kMostRuns = 1u << 20;
  static constexpr std::uint32_t kNotesPerChange = 24;  // of the journal

  // `choice` again and again, behind the first `cut` choices of run `parent`.
  struct Run {
    std::uint32_t parent = kNone;
    std::uint32_t cut = 0;
    std::uint32_t choice = 0;
  };
  struct State {
    std::uint32_t run = kNone;  // the schedule: up to the first `cut` choices of this run
    std::uint32_t cut = 0;
    std::uint32_t choice = 0;
    std::uint32_t level = 0;
    std::uint32_t distance = 0;
  };

  BacktrackSet(std::pmr::memory_resource& memory, Journal& journal, std::uint32_t room);

  // kNone: no room is left.
  std::uint32_t add_run(const Run& run);
  [[nodiscard]] const Run& run(std::uint32_t index) const { return runs_[index]; }
  // False: the journal is full, nothing was done.
  bool add(const State& state, Random& random);
  // False: there is none.
  bool take(State& out, Random& random);
  void clear();

  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] std::uint32_t most() const { return most_; }
  // The schedule of a state, its choice included. False: it does not fit.
  bool write(PlanWriter& plan, const State& state) const;

 private:
  static constexpr std::uint32_t kLevels = kMaxGoalEntries + 1;
  static constexpr std::uint32_t kDistances = 1024;  // larger ones are one bucket
  struct Slot {
    State state;
    std::uint32_t next = kNone;    // of the bucket, or of the free ones
    std::uint32_t before = kNone;  // of the bucket
    std::uint32_t bucket = kNone;  // kNone: free
  };

  [[nodiscard]] static std::uint32_t bucket_of(const State& state) {
    const std::uint32_t level = state.level < kLevels ? state.level : kLevels - 1;
    return level * kDistances + (state.distance < kDistances ? state.distance : kDistances - 1);
  }
  // False: the newcomer itself is what goes.
  bool make_room_for(std::uint32_t newcomer, Random& random);
  // A member at random. Of a bucket that is large, but a small part of all, one of the last few when luck fails.
  [[nodiscard]] std::uint32_t one_of(std::uint32_t bucket, Random& random) const;
  State remove(std::uint32_t bucket, std::uint32_t at);

  Journal& journal_;
  Run* runs_;
  Slot* slots_;
  std::uint32_t* heads_;     // of buckets
  std::uint32_t* members_;   // ... how many
  std::uint32_t* counts_;    // of levels
  std::uint32_t* farthest_;  // of levels: no bucket behind this distance has members
  std::uint32_t room_;
  std::uint32_t run_count_ = 0;
  std::uint32_t slot_count_ = 0;  // ever used
  std::uint32_t free_ = kNone;
  std::uint32_t size_ = 0;
  std::uint32_t most_ = 0;  // that ever waited
};

}  // namespace ravel
