// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The record for two accesses that race, the same whichever detector says so: its key is the unordered pair of
// locations.
#pragma once

#include "base/hash.h"
#include "detect/access_history.h"
#include "detect/detector.h"
#include "detect/detector_table.h"

namespace ravel {

inline void report_race_pair(DetectionSink& sink, DetectorId detector, const PastAccess& first, const Event& second,
                             std::uint64_t sequence, std::uint8_t variant = 0) {
  DetectionRecord found;
  found.kind = OutcomeKind::kDataRace;
  found.detector = static_cast<std::uint8_t>(detector);
  found.variant = variant;
  found.roles = 2;
  found.role[0] = {first.event, first.sequence};
  found.role[1] = {second, sequence};
  const std::uint64_t a = first.event.location;
  const std::uint64_t b = second.location;
  found.key = hash_combine(hash_combine(detector_bit(detector), variant), a < b ? (a << 32 | b) : (b << 32 | a));
  sink.on_detection(found);
}

}  // namespace ravel
