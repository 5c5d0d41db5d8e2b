// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// From a confirmed execution to the plan file and the seed string that bring it back.
#pragma once

#include <string>
#include <vector>

#include "driver/program_image.h"
#include "driver/replay.h"
#include "model/text/plan_file.h"
#include "report/finding.h"

namespace ravel {

struct PlanOrigin {
  const ProgramImage& image;
  const ReplayOptions& replayed;  // what was run
  std::string strategy;
  std::uint64_t seed = 0;
  std::string stdin_path;  // where the input was kept, if it was read from a pipe
};

PlanFile build_plan(const PlanOrigin& origin, const Finding& finding, Names& names);
// Empty when a schedule is needed and too long for a string.
std::string build_seed_string(const PlanOrigin& origin, bool policy_decides);

}  // namespace ravel
