// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Lipton's reduction on regions that the program calls atomic (Flanagan, Freund, "Atomizer: a dynamic atomicity checker
// for multithreaded programs", POPL 2004). Taking a lock moves right, giving one back moves left, an atomic operation
// moves nowhere: a region is atomic if it is of the form right* none? left*. It may be atomic all the same: reported is
// that this argument does not hold.
//
// Departure: plain accesses count as movers of both kinds; races among them are the race detectors' business.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string_view>

#include "base/pool.h"
#include "detect/detector.h"

namespace ravel {

class LiptonReduction final : public Detector {
 public:
  static constexpr std::string_view kExplanations[] = {
      "the region at {p0} of {t0} takes a lock ({2}) after {1}: others can come in between",
      "the region at {p0} of {t0} does {2} after {1}: others can come in between",
  };
  LiptonReduction(std::pmr::memory_resource& memory, const Services& services)
      : locks_(services.locks), sink_(services.sink), regions_(memory, kDetectorThreads) {}

  void begin(const TraceView&) override { regions_.clear(); }
  void on_event(const Event& e, const Moment& at) override;

 private:
  struct Region {
    std::uint32_t depth = 0;
    bool committed = false;  // something moved left, or nowhere
    RoleRecord begin;
    RoleRecord commit;
  };
  void commit(Region& region, const RoleRecord& by);
  void report(const Region& region, const RoleRecord& now, std::uint8_t variant);

  const HeldLocks& locks_;
  DetectionSink& sink_;
  SparseArray<Region> regions_;
};

}  // namespace ravel
