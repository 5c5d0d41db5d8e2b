// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The locations that are to become scheduling points, in the order they were found. Whoever keeps the set remembers how
// many of them are certain; rollback() forgets the others, so an execution that was interrupted leaves no trace.
// Zeroed memory is the empty set.
#pragma once

#include <cstdint>

#include "base/hash.h"
#include "detect/shared_locations.h"
#include "model/execution.h"

namespace ravel {

class LocationSet final : public LocationSink {
 public:
  void on_location(LocationId location) override {
    if (location == 0) return;
    std::uint32_t i = static_cast<std::uint32_t>(mix64(location)) % kSlots;
    for (std::uint32_t tried = 0; tried < kSlots && slots_[i] != 0; ++tried, i = (i + 1) % kSlots) {
      const std::uint32_t at = slots_[i] - 1;  // stale after a rollback, so look
      if (at < count_ && list_[at] == location) return;
    }
    if (count_ == kMaxRacyLocations || slots_[i] != 0) {
      full_ = true;
      return;
    }
    list_[count_] = location;
    slots_[i] = ++count_;
  }

  void rollback(std::uint32_t count) { count_ = count; }
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] bool full() const { return full_; }
  [[nodiscard]] const LocationId* begin() const { return list_; }

 private:
  static constexpr std::uint32_t kSlots = 4 * kMaxRacyLocations;
  std::uint32_t count_ = 0;
  bool full_ = false;
  LocationId list_[kMaxRacyLocations] = {};
  std::uint32_t slots_[kSlots] = {};  // place in the list + 1
};

}  // namespace ravel
