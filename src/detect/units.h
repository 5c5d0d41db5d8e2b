// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Computational units under strict two-phase locking: Xu, Bodik, Hill, "A serializability violation detector for
// shared-memory server programs", PLDI 2005. A unit is a part of a thread that computes something from what it read; no
// other thread may write what it has read, or touch what it has written, before it is over. Nobody says what the units
// are: this is a heuristic, and a report may be intended.
//
// Departure: register dependences are not known. A unit ends where its thread reads a shared variable that it wrote
// itself, waits, or enters another outermost function. What a write computes is taken to come from the reads since the
// write before. So reported are a write whose input another thread has overwritten meanwhile, and a variable that the
// unit writes twice with another thread's access between.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string_view>

#include "base/place_map.h"
#include "base/pool.h"
#include "detect/detector.h"

namespace ravel {

class Units final : public Detector {
 public:
  // Roles: first access of the unit, the other thread's access, the unit's write, first access of the other's unit.
  static constexpr std::string_view kExplanations[] = {
      "{t2}: {0} .. {2}; {t1} changed what the first had read ({1}), in a unit that began at {p3}",
      "{t2} wrote {o2} at {p0} and again at {p2}; {t1} came in between ({1}), in a unit that began at {p3}",
  };
  Units(std::pmr::memory_resource& memory, const Services& services)
      : sink_(services.sink),
        units_(memory, kDetectorThreads),
        index_(memory, 1u << 10, kMaxVariables * 2),
        variables_(memory, kMaxVariables) {}

  void begin(const TraceView& trace) override {
    trace_ = trace;
    units_.clear();
    index_.clear();
    variables_.clear();
    next_unit_ = 0;
    truncated_ = false;
  }
  void on_event(const Event& e, const Moment& at) override;
  [[nodiscard]] bool truncated() const override { return truncated_; }

 private:
  static constexpr std::uint32_t kMaxVariables = 1u << 16;
  static constexpr std::uint32_t kMostInputs = 8;

  struct Unit {
    std::uint64_t number = 0;  // 0: the next access begins one
    LocationId outermost = 0;
    RoleRecord first;
    std::uint32_t inputs = 0;  // reads since the last write
    RoleRecord input[kMostInputs];
  };
  struct Variable {  // the last access by anybody, and the last write of the unit that wrote it last
    std::uint64_t written_by = 0;
    RoleRecord write;
    RoleRecord last_write;    // by anybody
    RoleRecord last_foreign;  // since `write`, by another thread
    RoleRecord last_first;    // first access of the unit of last_write
    RoleRecord foreign_first;
  };

  Unit* unit_of(const Event& e, std::uint64_t sequence);
  [[nodiscard]] LocationId outermost(const Event& e) const;
  void read(Unit& unit, Variable& v, const RoleRecord& now);
  void write(Unit& unit, Variable& v, const RoleRecord& now);
  void report(std::uint8_t variant, const RoleRecord& first, const RoleRecord& foreign, const RoleRecord& now,
              const RoleRecord& begin);

  DetectionSink& sink_;
  TraceView trace_;
  SparseArray<Unit> units_;
  PlaceMap index_;
  Pool<Variable> variables_;
  std::uint64_t next_unit_ = 0;
  bool truncated_ = false;
};

}  // namespace ravel
