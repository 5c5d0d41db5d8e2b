// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A predicted defect is believed when an execution was driven into it: threads are held back at the places the
// prediction names until the others have come to theirs (runtime/policy/park_policy.cc).
#pragma once

#include <optional>

#include "driver/campaign.h"
#include "driver/replay.h"

namespace ravel {

inline constexpr unsigned kDrives = 24;  // attempts with different seeds
inline constexpr unsigned kRaceDrives = 8;

// An execution in which happened what `found` predicts; nullopt: none did.
Result<std::optional<FoundSeed>> drive_into(const ReplayOptions& replay, const DetectionRecord& found);

}  // namespace ravel
