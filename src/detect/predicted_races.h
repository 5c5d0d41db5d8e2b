// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Races of other schedules: two conflicting accesses that only the order in which locks happened to be taken keeps
// apart. Candidates are pairs that hold no common lock and are unordered by happens-before without the edges of mutexes
// and reader-writer locks (creation, joins, atomics, semaphores, barriers and the like still order). A candidate may be
// impossible, or race in this execution already: whoever reports it checks that, and drives an execution there first
// (Said, Wang, Yang, Sakallah, "Generating data race witnesses by an SMT-based analysis", 2011, asks a solver; Sen,
// "Race directed random testing of concurrent programs", PLDI 2008, a scheduler, as we do).
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string_view>

#include "base/pool.h"
#include "causality/causality.h"
#include "detect/access_history.h"
#include "detect/detector.h"

namespace ravel {

class PredictedRaces final : public Detector {
 public:
  static constexpr std::string_view kExplanations[] = {
      "{o1}: {0} ({t0}) and {1} ({t1}) are kept apart by chance only: no common lock, no other order",
  };

  PredictedRaces(std::pmr::memory_resource& memory, const Services& services);

  void begin(const TraceView&) override;
  void on_event(const Event& e, const Moment& at) override;
  [[nodiscard]] bool truncated() const override { return truncated_ || history_.truncated() || rest_.exhausted(); }

 private:
  static constexpr std::uint32_t kMaxLockSets = 1u << 14;
  struct LockSet {
    std::uint32_t count = 0;
    std::uint64_t place[HeldLocks::kMost] = {};
    bool shared[HeldLocks::kMost] = {};
  };

  std::uint32_t lock_set_of(ThreadIndex thread);
  [[nodiscard]] bool have_common_lock(std::uint32_t a, std::uint32_t b) const;

  const HeldLocks& locks_;
  DetectionSink& sink_;
  Causality rest_;  // happens-before without locks
  AccessHistory history_;
  Pool<LockSet> lock_sets_;
  SparseArray<std::uint32_t> present_;  // the lock set of a thread, 0: not yet made since it changed
  bool truncated_ = false;
};

}  // namespace ravel
