// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Signals that another schedule would lose. In this one a thread waited on a condition variable and was woken; but
// its wait need not come before the signal, and either the wait looked at nothing that others write, or what it looked
// at was changed by a thread that did not hold the mutex of the wait, so that the change and its signal fit in between
// look and wait (Letko, "Analysis and testing of concurrent programs", 2012, section on missed signals).
//
// The wait must come first if the signaller had to take its mutex after the waiting thread had it, by another order
// than that of locks. A candidate may be impossible all the same: whoever reports it drives an execution into the
// deadlock first.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string_view>

#include "base/pool.h"
#include "causality/causality.h"
#include "detect/detector.h"
#include "detect/wait_looks.h"

namespace ravel {

class PredictedSignal final : public Detector {
 public:
  // Roles: the signal, the wait, the lock that the waiting thread took first; or the change.
  static constexpr std::string_view kExplanations[] = {
      "the signal of {o0} by {t0} ({p0}) would be lost if it came before {t1} waits ({p1}): there is no predicate",
      "{t0} changes {o2} ({p2}) without the mutex and signals {o0} ({p0}): lost if {t1} has looked and not yet waits "
      "({p1})",
  };
  enum Variant : std::uint8_t { kNoPredicate, kUnlocked };

  PredictedSignal(std::pmr::memory_resource& memory, const Services& services);

  void begin(const TraceView&) override;
  void on_event(const Event& e, const Moment& at) override;
  void finish(const TraceView& trace) override;
  [[nodiscard]] bool truncated() const override { return truncated_ || looks_.truncated() || rest_.exhausted(); }

 private:
  static constexpr std::uint32_t kMostWaiting = 256;
  static constexpr std::uint32_t kMostCandidates = 64;

  struct Waiting {
    WaitLooks::Wait look;
    RoleRecord lock;        // where its section began
    Epoch epoch;            // of that
    RoleRecord change;      // of what it looked at, without the mutex; kNone: none
    ThreadIndex forced_by;  // its signals cannot come earlier; kNoThread: anybody's can
  };
  struct FirstLock {
    RoleRecord taken;
    Epoch epoch;
  };
  struct Candidate {
    RoleRecord signal;
    Waiting waiting;
  };

  void takes_lock(const Event& e, const Moment& at);
  void waits(const Event& e);
  void woken(const Event& signal, const Moment& at, const Waiting& waiting);
  void written(const Event& e, const Moment& at);
  void judge(const Candidate& candidate);
  Epoch present(ThreadIndex thread);

  const HeldLocks& locks_;
  DetectionSink& sink_;
  WaitLooks looks_;
  Causality rest_;                     // happens-before without locks
  SparseArray<FirstLock> first_lock_;  // by thread
  Waiting* waiting_;
  Candidate* candidates_;
  std::uint32_t waiting_count_ = 0;
  std::uint32_t candidate_count_ = 0;
  bool truncated_ = false;
};

}  // namespace ravel
