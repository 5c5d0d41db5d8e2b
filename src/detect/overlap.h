// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Accesses that overlap: two conflicting accesses of different threads such that neither thread has synchronised in any
// way since the first of them. Then nothing kept them apart: they could have been executed at the same moment, in this
// very schedule. After AtomRace (Letko, Vojnar, Krena, 2008), which brackets each access by pseudo-events; here the
// bracket reaches to the thread's next synchronisation.
//
// Everything it reports is a data race; it finds fewer of them than happens-before does, but needs no clocks, and holds
// also where the order of plain accesses is only known up to the synchronisation around them.
#pragma once

#include <memory_resource>
#include <string_view>

#include "base/pool.h"
#include "detect/access_history.h"
#include "detect/detector.h"

namespace ravel {

class Overlap final : public Detector {
 public:
  static constexpr std::string_view kExplanations[] = {
      "{o1}: {0} ({t0}) and {1} ({t1}) at the same time",
  };

  Overlap(std::pmr::memory_resource& memory, const Services& services)
      : sink_(services.sink), history_(memory, 1u << 16, 1u << 16), synchronised_(memory, kDetectorThreads) {}

  void begin(const TraceView&) override {
    history_.begin();
    synchronised_.clear();
  }
  void on_event(const Event& e, const Moment& at) override;
  [[nodiscard]] bool truncated() const override { return history_.truncated(); }

 private:
  [[nodiscard]] bool quiet_since(ThreadIndex thread, std::uint64_t sequence) {
    const std::uint64_t* last = synchronised_.find(thread);
    return last == nullptr || *last <= sequence;
  }

  DetectionSink& sink_;
  AccessHistory history_;
  SparseArray<std::uint64_t> synchronised_;  // sequence number of a thread's last synchronisation
};

}  // namespace ravel
