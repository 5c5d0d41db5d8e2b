// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Conflict serialisability of the regions that a program calls atomic (ravel::atomic_region): Flanagan, Freund, Yi,
// "Velodrome: a sound and complete dynamic atomicity checker for multithreaded programs", PLDI 2008, by vector clocks
// (Mathur, Viswanathan, "Atomicity checking in linear time using vector clocks", ASPLOS 2020). A region is violated
// when something that must come after its beginning must come before a later part of it.
//
// Departures: nothing is looked at before the first region begins; conflicts are between accesses that begin at the
// same place, between mutexes, creation and joining of threads; other synchronisation adds no order, so some circles
// are missed. At most kThreads threads take part, further ones are left out (truncated).
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string_view>

#include "base/place_map.h"
#include "base/pool.h"
#include "detect/detector.h"

namespace ravel {

class Serialisable final : public Detector {
 public:
  static constexpr std::string_view kExplanations[] = {
      "the region at {p0} of {t0} is not atomic: {1} of {t1} depends on its beginning, and {2} on that",
  };
  Serialisable(std::pmr::memory_resource& memory, const Services& services);

  void begin(const TraceView&) override;
  [[nodiscard]] Wants wants() const override { return kWantsClasses; }
  [[nodiscard]] OpKind wakes_at() const override { return OpKind::kRegionBegin; }
  void on_event(const Event& e, const Moment& at) override {
    if (running_ || e.kind == OpKind::kRegionBegin) step(e, at);
  }
  [[nodiscard]] bool truncated() const override { return truncated_; }

 private:
  static constexpr std::uint32_t kThreads = 32;
  static constexpr std::uint32_t kMaxReaders = 1u << 15;
  static constexpr std::uint32_t kMaxPlaces = 1u << 14;
  struct Clock {
    std::uint32_t time[kThreads];
  };
  struct Thread {
    Clock clock;
    std::uint32_t begin;  // own time when its region began
    std::uint32_t depth;  // of nested regions
    bool told;            // one circle is enough for a region
    RoleRecord region;
  };
  // The last read of a thread since the last write.
  struct Reader {
    Clock clock;
    RoleRecord read;
    std::uint32_t next;
  };
  // What went out from a place last: of a mutex by its release, of memory by its write, and by the reads since.
  struct Place {
    Clock clock;
    RoleRecord last;  // none: nothing yet
    std::uint32_t readers;
  };

  void step(const Event& e, const Moment& at);
  [[nodiscard]] Thread* thread(ThreadIndex index);
  Place* place(std::uint64_t key);
  void receive(Thread& t, const Event& e, const Moment& at, const Clock& clock, const RoleRecord& from);
  void end_region(const Thread& t, std::uint32_t slot, const Event& e, const Moment& at);
  void access(Thread& t, const Event& e, const Moment& at);
  static void join(Clock& into, const Clock& other);

  DetectionSink& sink_;
  PlaceMap index_;
  Pool<Place> places_;
  Pool<Reader> readers_;
  SparseArray<std::uint32_t> slots_;
  Thread* threads_;
  std::uint32_t used_ = 0;
  bool running_ = false;
  bool truncated_ = false;
};

}  // namespace ravel
