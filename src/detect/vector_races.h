// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Data races by full vectors: for every byte the last read and write of every thread are kept and compared with each
// access (Pozniansky, Schuster, "MultiRace: efficient on-the-fly data race detection", 2007). What FastTrack computes
// with less; kept as its judge, and because it names every pair of accesses and not only the latest.
#pragma once

#include <memory_resource>
#include <string_view>

#include "detect/access_history.h"
#include "detect/detector.h"

namespace ravel {

class VectorRaces final : public Detector {
 public:
  static constexpr std::string_view kExplanations[] = {
      "{o1}: {0} ({t0}) and {1} ({t1}), which nothing orders",
  };

  VectorRaces(std::pmr::memory_resource& memory, const Services& services)
      : causality_(services.causality), sink_(services.sink), history_(memory, 1u << 16, 1u << 16) {}

  void begin(const TraceView&) override {
    history_.begin();
    exhausted_ = false;
  }
  void on_event(const Event& e, const Moment& at) override;
  [[nodiscard]] bool truncated() const override { return history_.truncated() || exhausted_; }

 private:
  Causality& causality_;
  DetectionSink& sink_;
  AccessHistory history_;
  bool exhausted_ = false;
};

}  // namespace ravel
