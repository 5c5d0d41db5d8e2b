// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Eraser: Savage, Burrows, Nelson, Sobalvarro, Anderson, "Eraser: a dynamic data race detector for multithreaded
// programs", TOCS 1997, with the state exclusive' of von Praun and Gross (OOPSLA 2001): the first change of owner is a
// hand-over and needs no lock. A variable that several threads use, one of them writing, must have a lock that all
// of them hold. It knows no other synchronisation than locks, so it warns where joins, atomics or signals order things.
//
// Departures: a variable is what an access begins at; locks held for reading protect reads only; candidate sets hold
// the kMostLocks outermost locks.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string_view>

#include "base/place_map.h"
#include "base/pool.h"
#include "detect/access_history.h"
#include "detect/detector.h"

namespace ravel {

class Eraser final : public Detector {
 public:
  static constexpr std::string_view kExplanations[] = {
      "{o1}: {0} ({t0}) and {1} ({t1}) have no lock in common",
  };
  enum class State : std::uint8_t { kVirgin, kExclusive, kHandedOver, kShared, kModified, kRace };

  Eraser(std::pmr::memory_resource& memory, const Services& services)
      : locks_(services.locks),
        sink_(services.sink),
        index_(memory, 1u << 10, kMaxVariables * 2),
        variables_(memory, kMaxVariables) {}

  void begin(const TraceView&) override {
    index_.clear();
    variables_.clear();
    truncated_ = false;
  }
  void on_event(const Event& e, const Moment& at) override;
  [[nodiscard]] bool truncated() const override { return truncated_; }
  [[nodiscard]] State state_of(std::uint64_t place) const;

 private:
  static constexpr std::uint32_t kMaxVariables = 1u << 16;
  static constexpr std::uint32_t kMostLocks = 6;

  struct Variable {
    State state = State::kVirgin;
    std::uint8_t candidates = 0;
    ThreadIndex owner = kNoThread;
    std::uint64_t candidate[kMostLocks] = {};
    PastAccess last;         // by anybody
    PastAccess before_last;  // the last by another thread than that
  };

  void step(Variable& v, const Event& e, bool write);
  void start_candidates(Variable& v, const Event& e, bool write);
  void refine(Variable& v, const Event& e, bool write);

  const HeldLocks& locks_;
  DetectionSink& sink_;
  PlaceMap index_;
  Pool<Variable> variables_;
  bool truncated_ = false;
};

}  // namespace ravel
