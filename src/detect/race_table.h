// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The races of one execution, one for each unordered pair of locations, the first kMaxRaces of them. The locations of
// all of them go to a LocationSink and their cells to RacyCells (--points racy).
#pragma once

#include <cstdint>

#include "detect/fasttrack.h"
#include "detect/racy_cells.h"
#include "detect/shared_locations.h"

namespace ravel {

class RaceTable final : public RaceSink {
 public:
  RaceTable(RaceRecord* table, std::uint32_t capacity, LocationSink& locations, RacyCells* cells = nullptr)
      : table_(table), capacity_(capacity), locations_(locations), cells_(cells) {}

  void begin() {
    count_ = 0;
    dropped_ = 0;
  }
  void on_race(const RaceRecord& race, std::uint32_t cell, std::uint8_t) override {
    if (cells_ != nullptr) cells_->add(race.second.object, cell);
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (same_pair(table_[i], race)) return;
    }
    if (becomes_point(race.first.kind)) locations_.on_location(race.first.location);
    if (becomes_point(race.second.kind)) locations_.on_location(race.second.location);
    if (count_ == capacity_) {
      ++dropped_;
      return;
    }
    table_[count_++] = race;
  }

  void on_unordered_free(const Event& free) override { locations_.on_location(free.location); }

  [[nodiscard]] std::uint32_t count() const { return count_; }
  // Reports beyond the capacity; the same pair may be counted more than once.
  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

 private:
  // Atomics are points anyway.
  static bool becomes_point(OpKind kind) {
    return kind == OpKind::kRead || kind == OpKind::kWrite || kind == OpKind::kHeapFree;
  }
  static bool same_pair(const RaceRecord& a, const RaceRecord& b) {
    return (a.first.location == b.first.location && a.second.location == b.second.location) ||
           (a.first.location == b.second.location && a.second.location == b.first.location);
  }

  RaceRecord* table_;
  std::uint32_t capacity_;
  LocationSink& locations_;
  RacyCells* cells_;
  std::uint32_t count_ = 0;
  std::uint64_t dropped_ = 0;
};

}  // namespace ravel
