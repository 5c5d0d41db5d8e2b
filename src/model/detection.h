// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What detectors report of one execution: a pair of racing accesses, or the events that make up a defect. Plain data,
// kept in shared memory (wire/) and read by the tool.
#pragma once

#include <cstdint>

#include "model/event.h"
#include "model/outcome.h"

namespace ravel {

inline constexpr std::uint32_t kMaxRaces = 64;
inline constexpr std::uint32_t kMaxDetections = 32;
inline constexpr std::uint32_t kMaxRoles = 8;

struct RaceRecord {
  Event first;
  Event second;
  std::uint64_t first_seq = 0;
  std::uint64_t second_seq = 0;
};
static_assert(sizeof(RaceRecord) == 80);

// An event that plays a part in what a detector found.
struct RoleRecord {
  Event event;
  std::uint64_t sequence = 0;
};
static_assert(sizeof(RoleRecord) == 40);

// What a detector found (detect/detector_table.h): the events in the order the detector's explanation names them.
struct DetectionRecord {
  std::uint64_t key = 0;  // equal for the same defect in every execution of this build
  OutcomeKind kind = OutcomeKind::kNotRun;
  std::uint8_t detector = 0;  // row of the table
  std::uint8_t variant = 0;   // which of the detector's explanations
  std::uint8_t roles = 0;     // entries of role[]
  std::uint32_t number = 0;   // for the explanation; meaning by detector
  RoleRecord role[kMaxRoles] = {};
};
static_assert(sizeof(DetectionRecord) == 336);

}  // namespace ravel
