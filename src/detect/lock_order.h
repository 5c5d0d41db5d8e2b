// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Potential deadlocks: generalised Goodlock (Bensalem, Havelund, "Dynamic deadlock analysis of multi-threaded
// programs", 2005) on the lock dependency relation: (thread, locks held, lock wanted). A circle counts when its threads
// are pairwise different, no two of them hold a common gate lock, and no two of its steps are ordered by creation and
// joining of threads (segments). Locks held and wanted for reading by both sides do not block each other.
//
// What it reports may not be reachable (data may order the steps): whoever reports it drives an execution there first.
// The relation is searched at the end of the execution; it is small where locks are rarely nested.
#pragma once

#include <bitset>
#include <cstdint>
#include <memory_resource>
#include <string_view>

#include "causality/causality.h"
#include "detect/detector.h"

namespace ravel {

class LockOrder final : public Detector {
 public:
  // Roles: who wants what, in the order of the circle.
  static constexpr std::string_view kExplanations[] = {
      "{t0} holds {o1} and wants {o0} ({p0}), {t1} holds {o0} and wants {o1} ({p1})",
      "{n} threads can wait for each other in a circle, beginning with {t0} that wants {o0} ({p0})",
  };

  LockOrder(std::pmr::memory_resource& memory, const Services& services);

  void begin(const TraceView&) override;
  [[nodiscard]] Wants wants() const override { return wanted(OpClass::kLifecycle) | wanted(OpClass::kSync); }
  void on_event(const Event& e, const Moment& at) override;
  void finish(const TraceView& trace) override;
  [[nodiscard]] bool truncated() const override { return truncated_; }

 private:
  static constexpr std::uint32_t kMaxSteps = 512;
  static constexpr std::uint32_t kMaxSearch = 1u << 14;

  struct Lock {
    std::uint64_t place;
    bool shared;
  };
  struct Step {
    Event wanted;
    std::uint64_t sequence;
    std::uint64_t same;  // hash of what makes two steps one
    Lock lock;
    std::uint32_t held;
    Lock held_lock[HeldLocks::kMost];
    std::bitset<kMaxSteps> before;  // steps that creation and joining order before this one
  };

  static bool follows(const Step& a, const Step& b);
  [[nodiscard]] bool compatible(std::uint32_t a, std::uint32_t b) const;
  void search(std::uint32_t length);
  void report(std::uint32_t length);

  const HeldLocks& locks_;
  DetectionSink& sink_;
  Causality lifecycle_;
  Step* steps_;
  Epoch* epochs_;
  std::uint32_t count_ = 0;
  std::uint32_t visited_ = 0;
  std::uint32_t path_[kMaxRoles] = {};
  bool truncated_ = false;
};

}  // namespace ravel
