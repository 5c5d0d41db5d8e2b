// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The detectors that are on, behind one call for each event; and the table of what they found in this execution.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "detect/detector_table.h"
#include "detect/held_locks.h"

namespace ravel {

// One record for each key, the first kMaxDetections of them.
class DetectionTable final : public DetectionSink {
 public:
  DetectionTable(DetectionRecord* table, std::uint32_t capacity) : table_(table), capacity_(capacity) {}
  void begin() { count_ = dropped_ = 0; }
  void on_detection(const DetectionRecord& found) override {
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (table_[i].key == found.key) return;
    }
    if (count_ == capacity_) {
      ++dropped_;
      return;
    }
    table_[count_++] = found;
  }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] std::uint32_t dropped() const { return dropped_; }

 private:
  DetectionRecord* table_;
  std::uint32_t capacity_;
  std::uint32_t count_ = 0;
  std::uint32_t dropped_ = 0;
};

class DetectorSet {
 public:
  DetectorSet(std::pmr::memory_resource& memory, Causality& causality, std::uint64_t which, DetectionRecord* table,
              std::uint32_t capacity = kMaxDetections, std::uint32_t max_threads = kMaxThreads);
  DetectorSet(const DetectorSet&) = delete;
  DetectorSet& operator=(const DetectorSet&) = delete;

  void begin();
  void on_event(const Event& e, const Moment& at) {
    locks_.on_event(e, at.sequence);
    for (std::uint32_t i = 0; i < count_; ++i) detectors_[i]->on_event(e, at);
  }
  void finish(const ExecutionResult& result);

  // Number of records in the table.
  [[nodiscard]] std::uint32_t found() const { return table_.count(); }
  [[nodiscard]] bool truncated() const;

 private:
  DetectionTable table_;
  HeldLocks locks_;
  std::uint32_t count_ = 0;
  Detector* detectors_[static_cast<std::size_t>(DetectorId::kCount)] = {};
};

}  // namespace ravel
