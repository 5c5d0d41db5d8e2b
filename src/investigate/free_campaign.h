// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Runs of a program in free-running mode, one after the other, and what came of them. Every run is a fresh process; how
// the operating system schedules it is not recorded, so that a failure is not reproducible until it was pinned (pin.h).
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "driver/coverage_data.h"
#include "driver/free_run.h"
#include "driver/program_image.h"
#include "investigate/noise_config.h"
#include "investigate/noise_places.h"
#include "report/coverage.h"
#include "report/free_report.h"

namespace ravel {

inline constexpr std::uint64_t kDefaultFreeRuns = 100;
inline constexpr std::chrono::minutes kDefaultUntilFailure{10};

struct FreeCampaignRequest {
  FreeRunOptions run;
  NoiseConfig noise;
  std::uint64_t seed = 1;
  std::uint64_t runs = 0;  // 0: until the deadline
  bool until_failure = false;
  bool allow_vacuous = false;
  std::uint64_t detectors = 0;  // report/free_defects.h; 0: nothing is looked for but failures
  CoverageRequest coverage;
  std::vector<FreeSection> heal;
};

// A failing run in full, for those who want to do something with it.
struct FreeFailureSeen {
  FreeRecord record;
  std::size_t finding = 0;  // index in the report
};

struct FreeCampaignResult {
  FreeReport report;
  std::vector<FreeFailureSeen> first;  // of each finding
  std::optional<TaskCoverage> coverage;
};

using FreeListener = std::function<void(const FreeReport& so_far)>;

Result<FreeCampaignResult> run_free_campaign(const FreeCampaignRequest& request, const ProgramImage& image,
                                             const FreeListener& listener = {});

}  // namespace ravel
