// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The detectors that are on, behind one call for each event; and the table of what they found in this execution.
#pragma once

#include <cstdint>
#include <memory_resource>

#include "causality/observer_list.h"
#include "detect/detector_table.h"
#include "detect/held_locks.h"
#include "detect/training.h"

namespace ravel {

// One record for each key, the first kMaxDetections of them. Of detectors that learn, what training has seen is left
// out, and while training goes on nothing is reported.
class DetectionTable final : public DetectionSink {
 public:
  DetectionTable(std::pmr::memory_resource& memory, DetectionRecord* table, std::uint32_t capacity)
      : table_(table), capacity_(capacity), staged_(memory, kMaxStaged) {}
  void begin() {
    count_ = dropped_ = learnt_ = 0;
    staged_.clear();
  }
  // `known` may be null: no training was asked for.
  void set_training(Training* known, bool learning) {
    training_ = known;
    learning_ = learning && known != nullptr;
  }
  // What this execution has taught counts if it passed.
  void commit_training(bool passed) {
    for (std::uint32_t i = 1; learning_ && passed && i <= learnt_; ++i) training_->add(staged_[i]);
  }
  void on_detection(const DetectionRecord& found) override {
    if (detector_table()[found.detector].learns && !is_unusual(found)) return;
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
  static constexpr std::uint32_t kMaxStaged = 1u << 14;

  bool is_unusual(const DetectionRecord& found) {
    if (learning_) {
      const std::uint32_t staged = staged_.add(found.key);
      if (staged != 0) learnt_ = staged;
      return false;
    }
    return training_ == nullptr || !training_->contains(found.key);
  }

  DetectionRecord* table_;
  std::uint32_t capacity_;
  Pool<std::uint64_t> staged_;
  std::uint32_t learnt_ = 0;
  Training* training_ = nullptr;
  bool learning_ = false;
  std::uint32_t count_ = 0;
  std::uint32_t dropped_ = 0;
};

class DetectorSet {
 public:
  DetectorSet(std::pmr::memory_resource& memory, Causality& causality, std::uint64_t which, DetectionRecord* table,
              std::uint32_t capacity = kMaxDetections, std::uint32_t max_threads = kDetectorThreads);
  DetectorSet(const DetectorSet&) = delete;
  DetectorSet& operator=(const DetectorSet&) = delete;

  // `all_awake`: as ObserverList::begin.
  void begin(const TraceView& trace, bool all_awake = false);
  // on_event() does something with an event of this kind.
  [[nodiscard]] bool want(OpKind kind) const { return op_class(kind) == OpClass::kSync || detectors_.want(kind); }
  void on_event(const Event& e, const Moment& at) {
    locks_.on_event(e, at.sequence);
    detectors_.on_event(e, at);
  }
  // Of all of them together.
  [[nodiscard]] Wants wants() const { return detectors_.wants(); }
  void finish(const TraceView& trace);
  void set_training(Training* known, bool learning) { table_.set_training(known, learning); }
  void commit_training(bool passed) { table_.commit_training(passed); }

  // Number of records in the table.
  [[nodiscard]] std::uint32_t found() const { return table_.count(); }
  [[nodiscard]] bool truncated() const;

 private:
  DetectionTable table_;
  HeldLocks locks_;
  ObserverList<static_cast<std::size_t>(DetectorId::kCount)> detectors_;
};

}  // namespace ravel
