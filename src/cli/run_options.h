// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What `ravel run` was asked to do, and the table of its options.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "cli/format_output.h"
#include "cli/option_setters.h"
#include "cli/options.h"
#include "detect/detector_table.h"
#include "driver/budget.h"
#include "investigate/campaign_request.h"
#include "model/plan.h"
#include "wire/isolation.h"

namespace ravel {

enum class ColorMode { kAuto, kAlways, kNever };

struct RunOptions : CampaignRequest {
  std::string json;
  FormatChoice formats;
  bool quiet = false;
  bool explain_strategy = false;
  bool self_check = false;
  ColorMode color = ColorMode::kAuto;
  // Free-running mode.
  bool free = false;
  std::optional<std::uint64_t> runs;
  bool until_failure = false;
  std::string noise;  // as given; empty: none
  bool pin = false;
  std::string heal;  // plan; empty: none
};

std::span<const OptionRow<RunOptions>> run_option_table();

// Empty when all names are known.
std::string set_detectors(std::uint64_t& detectors, const std::string& list);
std::string set_color(ColorMode& mode, const std::string& value);

}  // namespace ravel
