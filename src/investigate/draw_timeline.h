// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The timeline of an execution for formats that draw it, with the races of its sequence: for these it is run once more.
#pragma once

#include <memory>

#include "driver/replay.h"
#include "report/timeline.h"

namespace ravel {

// `replay` leads to the execution that `names` is about. Without the races where it cannot be run again.
std::shared_ptr<const Timeline> draw_timeline(Names& names, const ReplayOptions& replay);

}  // namespace ravel
