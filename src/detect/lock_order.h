// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Potential deadlocks: generalised Goodlock (Bensalem, Havelund, "Dynamic deadlock analysis of multi-threaded
// programs", 2005) on the lock dependency relation: (thread, locks held, lock wanted). A circle counts when its threads
// are pairwise different, no two of them hold a common gate lock, and no two of its steps are ordered by creation and
// joining of threads (segments). Locks held and wanted for reading by both sides do not block each other.
//
// Semaphores that begin with 1 and are posted by who waited for them are locks too. Of a condition, who signals it
// later "holds" it, and wants all the locks that it takes before; who waits for it wants it (Agarwal, Stoller,
// "Run-time detection of potential deadlocks for programs with locks, semaphores, and condition variables", PADTAD
// 2006).
//
// What it reports may not be reachable (data may order the steps): whoever reports it drives an execution there first.
// The relation is searched at the end of the execution; it is small where locks are rarely nested.
#pragma once

#include <bitset>
#include <cstdint>
#include <memory_resource>
#include <string_view>

#include "base/place_map.h"
#include "base/pool.h"
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
  static constexpr std::uint32_t kMostHeld = 8;
  static constexpr std::uint32_t kMostTaken = 16;

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
    Lock held_lock[HeldLocks::kMost + kMostHeld + 1];
    std::bitset<kMaxSteps> before;  // steps that creation and joining order before this one
  };

  // Semaphores that a thread holds as locks, and the locks that it took since it began.
  struct OfThread {
    std::uint32_t held = 0;
    std::uint32_t taken = 0;
    std::uint64_t held_semaphore[kMostHeld];
    RoleRecord take[kMostTaken];  // object and offset: the lock
  };
  enum SemaphoreUse : std::uint32_t { kUnknownUse, kLockUse, kSignalUse };

  OfThread* of(ThreadIndex thread);
  void semaphore(const Event& e, const Moment& at);
  void wait(const Event& e, const Moment& at);
  void signal(const Event& e);
  // One more step: `e` wants `lock` while its thread holds the locks of locks_, its semaphores, and `also`.
  void add(const Event& e, std::uint64_t sequence, Lock lock, std::uint64_t also);
  [[nodiscard]] bool is_used_as_lock(const Step& step) const;
  static bool follows(const Step& a, const Step& b);
  [[nodiscard]] bool compatible(std::uint32_t a, std::uint32_t b) const;
  void search(std::uint32_t length);
  void report(std::uint32_t length);

  const HeldLocks& locks_;
  DetectionSink& sink_;
  Causality lifecycle_;
  SparseArray<OfThread> threads_;
  mutable PlaceMap semaphores_;  // SemaphoreUse
  Step* steps_;
  Epoch* epochs_;
  std::uint32_t count_ = 0;
  std::uint32_t visited_ = 0;
  std::uint32_t path_[kMaxRoles] = {};
  bool truncated_ = false;
};

}  // namespace ravel
