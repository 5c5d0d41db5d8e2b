// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Options of the commands that work on a plan: minimize, explain, verify-fix.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "cli/options.h"
#include "cli/run_options.h"
#include "investigate/plan_source.h"

namespace ravel {

struct PlanArguments {
  std::chrono::milliseconds time{10'000};
  std::optional<std::uint32_t> preemptions;  // verify-fix; none: those of the plan
  std::string output;                        // minimize
  std::string json;
  bool quiet = false;
  ColorMode color = ColorMode::kAuto;
};

std::span<const OptionRow<PlanArguments>> minimize_option_table();
std::span<const OptionRow<PlanArguments>> explain_option_table();
std::span<const OptionRow<PlanArguments>> verify_fix_option_table();

// The one plan of the command line, with its program.
Result<PreparedPlan> named_plan(const CommandSyntax& syntax, const CommandLine& line,
                                RacyPlaces places = RacyPlaces::kAll);

}  // namespace ravel
