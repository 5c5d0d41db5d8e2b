// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Units of work over the members of one object: Vaziri, Tip, Dolby, "Associating synchronization constraints with data
// in an object-oriented language", POPL 2006; checked as by Hammer, Dolby, Vaziri, Tip, ICSE 2008. A unit is a
// ravel::atomic_region or a call of a function that --regions names; an access outside of any is a unit of its own.
// Eleven ways in which another unit can come between two accesses of a unit are not serialisable (capitals are the
// unit's accesses, small ones the other's, 1 and 2 two members of one object):
//   of one member    RwW RwR WrW WwR WwW
//   of two members   W1 w1 w2 W2, W1 w2 w1 W2, W1 r1 r2 W2, W1 r2 r1 W2, R1 w1 w2 R2, R1 w2 w1 R2
//
// Departures: which object a variable is a member of is what the runtime knows: a block of the heap, a stack, all
// globals of a module. A unit's first kMost accesses are looked at, and as many of others while it lasts.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string_view>

#include "base/pool.h"
#include "detect/detector.h"

namespace ravel {

class AtomicSets final : public Detector {
 public:
  // By variant, in the order of the list above. Roles: begin of the region, first access, what came between, last one.
  static constexpr std::string_view kExplanations[] = {
      "the region at {p0} of {t0}: {1} .. {3}, with {2} ({t2}) between them: it read what was changed then",
      "the region at {p0} of {t0}: {1} .. {3}, with {2} ({t2}) between them: it read two values",
      "the region at {p0} of {t0}: {1} .. {3}, with {2} ({t2}) between them: a value that was not to be seen was read",
      "the region at {p0} of {t0}: {1} .. {3}, with {2} ({t2}) between them: it did not read what it wrote",
      "the region at {p0} of {t0}: {1} .. {3}, with {2} ({t2}) between them: a write was lost",
      "the region at {p0} of {t0}: {1} .. {4}; {t2} wrote both members in between ({2}, {3}): one value of each is "
      "left",
      "the region at {p0} of {t0}: {1} .. {4}; {t2} wrote both members in between ({2}, {3}): one value of each is "
      "left",
      "the region at {p0} of {t0}: {1} .. {4}; {t2} read both members in between ({2}, {3}): it saw half of it",
      "the region at {p0} of {t0}: {1} .. {4}; {t2} read both members in between ({2}, {3}): it saw half of it",
      "the region at {p0} of {t0}: {1} .. {4}; {t2} wrote both members in between ({2}, {3}): it saw half of it",
      "the region at {p0} of {t0}: {1} .. {4}; {t2} wrote both members in between ({2}, {3}): it saw half of it",
  };
  AtomicSets(std::pmr::memory_resource& memory, const Services& services)
      : sink_(services.sink), units_(memory, kMostUnits), of_(memory, kDetectorThreads) {}

  void begin(const TraceView&) override {
    units_.clear();
    of_.clear();
    active_ = 0;
    next_unit_ = 0;
    truncated_ = false;
  }
  void on_event(const Event& e, const Moment& at) override;
  [[nodiscard]] bool truncated() const override { return truncated_; }

 private:
  static constexpr std::uint32_t kMostUnits = 64;  // at one time
  static constexpr std::uint32_t kMost = 64;

  struct Foreign {
    RoleRecord role;
    std::uint64_t unit;
  };
  struct Unit {
    std::uint64_t number = 0;
    RoleRecord begin;
    std::uint32_t depth = 0;
    std::uint32_t own = 0;
    std::uint32_t others = 0;
    RoleRecord access[kMost];
    Foreign other[kMost];
  };

  void region(const Event& e, const Moment& at);
  void access(const RoleRecord& now);
  void check(const Unit& unit, const RoleRecord& now);
  void check_one(const Unit& unit, const RoleRecord& first, const RoleRecord& now);
  void check_two(const Unit& unit, const RoleRecord& first, const RoleRecord& now);
  void report(const Unit& unit, std::uint8_t variant, const RoleRecord& first, const RoleRecord& between,
              const RoleRecord* second, const RoleRecord& last);

  DetectionSink& sink_;
  Pool<Unit> units_;
  SparseArray<std::uint32_t> of_;  // unit of each thread; 0: none
  std::uint32_t list_[kMostUnits] = {};
  std::uint32_t active_ = 0;
  std::uint64_t next_unit_ = 0;
  bool truncated_ = false;
};

}  // namespace ravel
