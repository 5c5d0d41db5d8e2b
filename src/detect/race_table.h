// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The races of one execution, one for each unordered pair of locations, the first kMaxRaces of them; the locations of
// all of them go to a LocationSink (--points racy).
#pragma once

#include <cstdint>

#include "detect/fasttrack.h"
#include "detect/shared_locations.h"

namespace ravel {

class RaceTable final : public RaceSink {
 public:
  RaceTable(RaceRecord* table, std::uint32_t capacity, LocationSink& locations)
      : table_(table), capacity_(capacity), locations_(locations) {}

  void begin() {
    count_ = 0;
    dropped_ = 0;
  }
  void on_race(const RaceRecord& race, std::uint32_t, std::uint8_t) override {
    for (std::uint32_t i = 0; i < count_; ++i) {
      if (same_pair(table_[i], race)) return;
    }
    // Only plain accesses become points by this; atomics are points anyway.
    if (race.first.kind == OpKind::kRead || race.first.kind == OpKind::kWrite)
      locations_.on_location(race.first.location);
    if (race.second.kind == OpKind::kRead || race.second.kind == OpKind::kWrite)
      locations_.on_location(race.second.location);
    if (count_ == capacity_) {
      ++dropped_;
      return;
    }
    table_[count_++] = race;
  }

  [[nodiscard]] std::uint32_t count() const { return count_; }
  // Reports beyond the capacity; the same pair may be counted more than once.
  [[nodiscard]] std::uint64_t dropped() const { return dropped_; }

 private:
  static bool same_pair(const RaceRecord& a, const RaceRecord& b) {
    return (a.first.location == b.first.location && a.second.location == b.second.location) ||
           (a.first.location == b.second.location && a.second.location == b.first.location);
  }

  RaceRecord* table_;
  std::uint32_t capacity_;
  LocationSink& locations_;
  std::uint32_t count_ = 0;
  std::uint64_t dropped_ = 0;
};

}  // namespace ravel
