// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// RaceTrack: Yu, Rodeheffer, Chen, "RaceTrack: efficient detection of data race conditions via adaptive tracking", SOSP
// 2005. Of each variable a set of threads that may access it at the same time, as far as creation and joining of
// threads order them, and the locks that all of them held. An access removes those that are ordered before it. Alone in
// the set, the thread's locks are the candidates again; together with others they are refined, and no lock left is a
// race. Locks order nothing, and no other synchronisation is known, so hand-overs by atomics and signals are false
// alarms, as with Eraser; what is ordered by joining is none.
//
// Departures: a variable is what an access begins at; it races only where one of the threads in the set has written;
// locks held for reading protect reads only; at most kMostThreads are in a set, further ones replace the oldest.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string_view>

#include "base/place_map.h"
#include "base/pool.h"
#include "detect/access_history.h"
#include "detect/detector.h"

namespace ravel {

class RaceTrack final : public Detector {
 public:
  static constexpr std::string_view kExplanations[] = {
      "{o1}: {0} ({t0}) and {1} ({t1}) may come at the same time and have no lock in common",
  };
  RaceTrack(std::pmr::memory_resource& memory, const Services& services);

  void begin(const TraceView&) override;
  void on_event(const Event& e, const Moment& at) override;
  [[nodiscard]] bool truncated() const override { return truncated_ || lifecycle_.exhausted(); }

 private:
  static constexpr std::uint32_t kMaxVariables = 1u << 16;
  static constexpr std::uint32_t kMostThreads = 4;
  static constexpr std::uint32_t kMostLocks = 6;

  struct Label {
    PastAccess access;
    Epoch epoch;
  };
  struct Variable {
    std::uint32_t threads = 0;
    std::uint32_t candidates = 0;
    Label label[kMostThreads];
    std::uint64_t candidate[kMostLocks] = {};
  };
  void drop_ordered(Variable& v, const Event& e);
  void start_candidates(Variable& v, const Event& e, bool write) const;
  void refine(Variable& v, const Event& e, bool write) const;
  void report(const Variable& v, const Event& e, std::uint64_t sequence, bool write);

  const HeldLocks& locks_;
  DetectionSink& sink_;
  Causality lifecycle_;
  PlaceMap index_;
  Pool<Variable> variables_;
  bool truncated_ = false;
};

}  // namespace ravel
