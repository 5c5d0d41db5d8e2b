// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// From a failing schedule to the simplest one with the same defect: a campaign of the strategy `minimise`, and the
// result confirmed in a fresh process.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "driver/replay.h"
#include "driver/supervise.h"

namespace ravel {

struct MinimiseOptions {
  std::chrono::milliseconds time{1'000};
  Isolation isolation = Isolation::kAuto;
  std::uint64_t race = 0;       // key of the data race that is meant; 0: how the execution ends
  std::uint64_t detection = 0;  // key of what a detector found, if that is meant
  std::uint64_t detectors = 0;  // ... and the bit of the detector
  ProgressListener listener;
  bool thoroughly = false;  // use all the time, also where only switches can be gained
};

struct MinimiseResult {
  bool hit = false;  // the schedule showed the defect at all
  bool fewest_preemptions = false;
  bool interrupted = false;
  std::uint64_t executions = 0;
  double seconds = 0;
  ReplayOptions replay;                   // of the simplest schedule
  std::optional<ReplayResult> confirmed;  // empty: it is the given one, or it did not happen again
};

Result<MinimiseResult> minimise(const ReplayOptions& failing, const MinimiseOptions& options);

// A campaign of a strategy that works on the plan.
CampaignOptions campaign_on(const ReplayOptions& plan, const MinimiseOptions& options, const std::string& strategy);

}  // namespace ravel
