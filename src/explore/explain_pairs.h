// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The pairs of events whose order may decide a failure, the likeliest first: two events of different threads that touch
// the same bytes or the same lock, in the order in which they came. First those of memory that is raced for, then those
// about what the failing thread saw at last, or a little before, then the rest; among these the nearest first. Pairs of
// the same two places come again only behind all others: a loop has many of them.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>

#include "base/place_map.h"
#include "model/detection.h"
#include "model/event.h"
#include "model/execution.h"

namespace ravel {

inline constexpr std::uint32_t kNotReported = 0xffffffffu;

// An event of the failing execution. Behind them: what was pending at its end, then the use of freed memory.
struct KnownEvent {
  Event event;
  std::uint32_t own = 0;       // n-th event of its thread, from 1
  std::uint32_t hold = 0;      // the last event of its thread, at most this one, that can be held back
  std::uint32_t outer = 0;     // the same before its thread took the locks that it has
  std::uint32_t reported = 0;  // its number in the execution as it is reported; kNotReported: left out there
};

enum class PairRank : std::uint8_t { kRaces, kSeenAtLast, kSeenLately, kOther };

struct CandidatePair {
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  PairRank rank = PairRank::kOther;
};

struct KnownExecution {
  const KnownEvent* known = nullptr;
  std::uint32_t events = 0;  // done
  std::uint32_t all = 0;     // with what was pending
  const ExecutionResult* result = nullptr;
};

class PairList {
 public:
  static constexpr std::uint32_t kMostPairs = 1'024;

  PairList(std::pmr::memory_resource& memory, std::uint32_t most_events);

  void fill(const KnownExecution& given);
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] const CandidatePair& operator[](std::uint32_t i) const { return pairs_[i]; }

 private:
  static constexpr std::uint32_t kCandidates = 1u << 16;
  static constexpr std::uint32_t kLooks = 16;
  static constexpr std::uint32_t kLastLooks = 3;

  void note_seen(const KnownExecution& given);
  [[nodiscard]] PairRank rank_of(const Event& a, const Event& b, const ExecutionResult& result) const;
  void add(const KnownExecution& given, std::uint32_t a, std::uint32_t b);
  void add_conflicts(const KnownExecution& given);
  void add_free(const KnownExecution& given);
  void sort_and_cut(const KnownExecution& given);

  PlaceMap last_;          // object -> its last event so far, from 1
  std::uint32_t* before_;  // event -> the one before it on the same object, from 1
  CandidatePair* found_;
  std::uint32_t found_count_ = 0;
  CandidatePair* pairs_;
  std::uint32_t count_ = 0;
  const Event* seen_[kLooks] = {};
  std::uint32_t seen_count_ = 0;
};

}  // namespace ravel
