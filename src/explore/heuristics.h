// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What makes a prefix of a schedule promising to best-first search. Lower is better.
//
//   blocked        threads that exist and cannot run at its last decision: near a deadlock
//   interleaving   switches of threads in it, the last ones most: what a plain schedule does not show
//   coverage       pairs of places next to each other in two threads that its execution was the first to show
//   mixed          coverage, and interleaving among equals: all prefixes of one execution are
//   prefer         choices of one thread
//   distance       to the next place of a sequence (--goal), by the static facts, as policy `guided' ranks it
//   rank           places of the sequence that are observed, then distance: the two tiers of strategy meta
//   property       how far the values in memory are from what makes a place fail (model/property.h), by the same log
//   branch         places of the code that its execution was the first to reach: sides of branches, as far as they do
//                  anything that is seen
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string_view>

#include "base/hash.h"
#include "base/journal.h"
#include "explore/strategy.h"

namespace ravel {

enum class Heuristic : std::uint8_t {
  kMixed,
  kBlocked,
  kInterleaving,
  kCoverage,
  kPrefer,
  kDistance,
  kRank,
  kBranch,
  kProperty
};
inline constexpr std::string_view kHeuristicNames[] = {"mixed",    "blocked", "interleaving", "coverage", "prefer",
                                                       "distance", "rank",    "branch",       "property"};

// It goes by a sequence of places.
inline constexpr bool needs_goal(Heuristic heuristic) {
  return heuristic == Heuristic::kDistance || heuristic == Heuristic::kRank;
}

// It goes by what policy `guided' logs.
inline constexpr bool needs_guide(Heuristic heuristic) {
  return needs_goal(heuristic) || heuristic == Heuristic::kProperty;
}

class Scores {
 public:
  Scores(std::pmr::memory_resource& memory, Journal& journal, Heuristic heuristic, ThreadIndex preferred)
      : journal_(journal),
        heuristic_(heuristic),
        preferred_(preferred),
        live_(static_cast<std::uint32_t*>(
            memory.allocate(sizeof(std::uint32_t) * kMaxDecisions, alignof(std::uint32_t)))),
        value_(
            static_cast<std::int64_t*>(memory.allocate(sizeof(std::int64_t) * kMaxDecisions, alignof(std::int64_t)))),
        seen_(static_cast<std::uint64_t*>(memory.allocate(sizeof(std::uint64_t) * kWords, alignof(std::uint64_t)))) {
    for (std::uint32_t i = 0; i < kWords; ++i) seen_[i] = 0;
  }

  void begin(const TraceView&) {
    threads_ = 1;
    decisions_ = fresh_ = 0;
    last_thread_ = kNoThread;
    last_location_ = 0;
  }

  void observe(const Event& event) {
    if (heuristic_ == Heuristic::kBranch) {
      note(mix64(event.location.number()));
    } else if (event.thread != last_thread_ && last_thread_ != kNoThread) {
      const std::uint64_t hash = mix64(static_cast<std::uint64_t>(last_location_) << 32 | event.location);
      if (fresh_ < kMostFresh && (seen_[hash % kWords] >> (hash >> 58) & 1) == 0) pairs_[fresh_++] = hash;
    }
    last_thread_ = event.thread;
    last_location_ = event.location;
    if (event.kind == OpKind::kThreadEnd && threads_ != 0) --threads_;
    if ((event.bits & kChosen) != 0 && decisions_ < kMaxDecisions) live_[decisions_++] = threads_;
    if (event.kind == OpKind::kThreadCreate) ++threads_;
  }

  // Of the whole execution: what is asked for each of its decisions.
  void finish(const Execution& execution) {
    for (std::uint32_t i = 0; i < fresh_ && journal_.has_room(64); ++i) {
      std::uint64_t& word = seen_[pairs_[i] % kWords];
      journal_.set(word, word | std::uint64_t{1} << (pairs_[i] >> 58));
    }
    ranked_at_ = 0;
    std::uint32_t before = kNoThread;
    std::uint32_t nth = 0;  // decision between threads
    std::int64_t value = 0;
    const auto count = static_cast<std::uint32_t>(execution.decisions.size());
    for (std::uint32_t d = 0; d < count; ++d) {
      const DecisionRecord& decision = execution.decisions[d];
      value_[d] = value;
      if ((decision.chosen & kDataChoice) != 0) continue;
      if (heuristic_ == Heuristic::kBlocked) {
        const std::uint32_t live = nth < decisions_ ? live_[nth] : 0;
        value_[d] = live > decision.options ? -static_cast<std::int64_t>(live - decision.options) : 0;
      }
      ++nth;
      if (heuristic_ == Heuristic::kInterleaving || heuristic_ == Heuristic::kMixed) {
        value -= value / 4;
        if (decision.chosen != before) value -= kSwitch;
        before = decision.chosen;
      }
      if (heuristic_ == Heuristic::kPrefer && decision.chosen == preferred_) value -= 1;
    }
  }

  // Decisions are asked for one after the other.
  [[nodiscard]] std::int64_t of(const Execution& execution, std::uint32_t decision, std::uint32_t choice) {
    if (needs_guide(heuristic_)) return rank_of(execution, decision, choice);
    const std::int64_t value = value_[decision];
    const std::int64_t switches = value - (choice != execution.decisions[decision].current ? kSwitch : 0);
    const std::int64_t coverage = -static_cast<std::int64_t>(fresh_);
    switch (heuristic_) {
      case Heuristic::kMixed:
        return coverage * kMostSwitches + switches;
      case Heuristic::kBlocked:
        return value;
      case Heuristic::kInterleaving:
        return switches;
      case Heuristic::kCoverage:
      case Heuristic::kBranch:
        return coverage;
      case Heuristic::kPrefer:
        return value - (choice == preferred_ ? 1 : 0);
      case Heuristic::kDistance:
      case Heuristic::kRank:
      case Heuristic::kProperty:
        break;
    }
    return 0;
  }

 private:
  // Seen for the first time, once in an execution.
  void note(std::uint64_t hash) {
    if (fresh_ == kMostFresh || (seen_[hash % kWords] >> (hash >> 58) & 1) != 0) return;
    for (std::uint32_t i = 0; i < fresh_; ++i) {
      if (pairs_[i] == hash) return;
    }
    pairs_[fresh_++] = hash;
  }

  // As the policy has logged it. What it has not, comes last.
  [[nodiscard]] std::int64_t rank_of(const Execution& execution, std::uint32_t decision, std::uint32_t choice) {
    const auto& log = execution.trace.ranked;
    const std::size_t count = execution.result.guide.ranked < log.size() ? execution.result.guide.ranked : log.size();
    while (ranked_at_ < count && log[ranked_at_].decision < decision) ++ranked_at_;
    for (std::size_t i = ranked_at_; i < count && log[i].decision == decision; ++i) {
      if (log[i].choice != choice && (log[i].choice & kDataChoice) == 0) continue;  // one entry for all alternatives
      const std::int64_t distance = log[i].distance;
      return heuristic_ != Heuristic::kRank ? distance : distance - (std::int64_t{log[i].level} << 33);
    }
    return std::int64_t{1} << 40;
  }

  static constexpr std::uint32_t kWords = 1u << 12;
  static constexpr std::uint32_t kMostFresh = 1024;
  static constexpr std::int64_t kSwitch = 64;
  static constexpr std::int64_t kMostSwitches = 1024;  // more than the fading sum of switches can be: 64 * 4 + 64

  Journal& journal_;
  Heuristic heuristic_;
  ThreadIndex preferred_;
  std::uint32_t* live_;  // threads at the n-th decision between threads
  std::int64_t* value_;  // of the prefix before each decision
  std::uint64_t* seen_;  // pairs of places, as bits
  std::uint64_t pairs_[kMostFresh] = {};
  std::uint32_t fresh_ = 0;
  std::size_t ranked_at_ = 0;
  std::uint32_t threads_ = 1;
  std::uint32_t decisions_ = 0;
  ThreadIndex last_thread_ = kNoThread;
  LocationId last_location_ = 0;
};

}  // namespace ravel
