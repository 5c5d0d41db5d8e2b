// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// From a plan that fails to what keeps its defect away in free runs (free/heal.h): the plan is replayed, and the
// section that another thread broke into, or the locks that were taken in a circle, become sections that one thread at
// a time is let into.
#pragma once

#include <string>
#include <vector>

#include "driver/execution_record.h"
#include "driver/program_image.h"
#include "model/text/result.h"
#include "wire/free_block.h"

namespace ravel {

struct HealPlan {
  std::vector<FreeSection> sections;
  std::vector<std::string> places;  // where they begin, for people
};

// Places are offsets from the program's base: the plan must be of this build.
Result<HealPlan> heal_plan(const std::string& plan, const ProgramImage& image);
// Of a failing execution with what the detectors avio and atomic-update found in it.
std::vector<FreeSection> sections_of(const ExecutionRecord& record);

}  // namespace ravel
