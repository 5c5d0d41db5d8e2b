// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Which operation did each segment of a schedule let through? The answer makes plan files readable, and shows a
// replay whether the program still is the one the plan was made for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/text/plan_file.h"
#include "report/names.h"

namespace ravel {

// Segments of record.schedule, each with the event at which it starts where the trace still holds it.
std::vector<PlanSegment> name_schedule(const ExecutionRecord& record, Names& names);

// First place where the names in the plan and those of the run differ: "decision 3: expected lock at f+2:5 by main.1,
// found ...". Nothing when all known names agree.
std::optional<std::string> first_misfit(const PlanFile& plan, const std::vector<PlanSegment>& run,
                                        const ExecutionRecord& record);

}  // namespace ravel
