// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A plan as it is named on the command line (a file, a seed string, a bare policy), and what is needed to run it: the
// program, perhaps another build of it, and the plan's places in that build.
#pragma once

#include <optional>
#include <string>

#include "driver/program_image.h"
#include "driver/replay.h"
#include "model/text/plan_file.h"
#include "model/text/seed_string.h"

namespace ravel {

struct PlanSource {
  std::string name;
  std::optional<PlanFile> plan;
  std::optional<SeedString> seed;
};

Result<PlanSource> read_plan_source(const std::string& text);

struct PreparedPlan {
  PlanSource source;
  ProgramImage image;
  ReplayOptions replay;
  bool same_build = true;
};

// What if a plain access that is a scheduling point is not in the program any more.
enum class RacyPlaces { kAll, kAsFarAsFound };

// `program` are the words after `--`: empty where those of the plan are meant.
Result<PreparedPlan> prepare_plan(PlanSource source, const std::vector<std::string>& program,
                                  RacyPlaces places = RacyPlaces::kAll);

}  // namespace ravel
