// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Atomicity violations on one variable: Lu, Tucek, Qin, Zhou, "AVIO: detecting atomicity violations via access
// interleaving invariants", ASPLOS 2006. Two consecutive accesses of one thread with an access of another thread in
// between, as one of the four triples that no serial order explains: read-write-read, write-write-read,
// write-read-write, read-write-write.
//
// Departures: instead of invariants learnt from training runs only, every such triple is reported unless training was
// asked for; a thread that waited in between (condition, semaphore, barrier, futex, sleep) expects others to change
// things, so such pairs are left out. Plain accesses only.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string_view>

#include "base/place_map.h"
#include "base/pool.h"
#include "detect/access_class.h"
#include "detect/detector.h"

namespace ravel {

class Avio final : public Detector {
 public:
  static constexpr std::string_view kExplanations[] = {
      "{o0}: {0} .. {2} of {t0} see different values: in between {t1} did {1}",
      "{o0}: {0} of {t0} is not what {2} of {t0} sees: in between {t1} did {1}",
      "{o0}: between {0} and {2} of {t0}, {1} of {t1} saw an intermediate value",
      "{o0}: {2} of {t0} goes by the old value of {0}: in between {t1} did {1}",
  };
  enum Triple : std::uint8_t { kReadWriteRead, kWriteWriteRead, kWriteReadWrite, kReadWriteWrite };

  Avio(std::pmr::memory_resource& memory, const Services& services);

  void begin(const TraceView&) override;
  void on_event(const Event& e, const Moment& at) override;
  [[nodiscard]] bool truncated() const override { return truncated_; }

 private:
  static constexpr std::uint32_t kMaxCells = 1u << 16;
  static constexpr std::uint32_t kMaxAccesses = 1u << 17;

  struct Access {
    Event event;
    std::uint64_t sequence;
    std::uint8_t mask;
  };
  struct Local {  // the last access of a thread to the cell
    Access access;
    std::uint32_t next;
  };
  // The last of its kind and, of another thread, the last before it: so the last by anybody but t is known.
  struct Latest {
    Access last;
    Access other;
  };
  struct Cell {
    Latest writes;
    Latest reads;
    std::uint32_t locals;
  };

  void touch(Cell& cell, const Access& now, bool write);
  void check(const Access& before, const Access& now, const Cell& cell, bool write);
  void report(Triple triple, const Access& before, const Access& between, const Access& now);
  static const Access& by_other(const Latest& latest, ThreadIndex thread) {
    return latest.last.event.thread == thread ? latest.other : latest.last;
  }

  DetectionSink& sink_;
  PlaceMap index_;
  Pool<Cell> cells_;
  Pool<Local> locals_;
  SparseArray<std::uint64_t> waited_;  // sequence number, plus 1, of the last wait of a thread
  bool truncated_ = false;
};

}  // namespace ravel
