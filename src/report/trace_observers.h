// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The observers of an execution, in the tool: over the events of a record that came from a file, without a program. The
// code is the one that runs beside the program.
#pragma once

#include <cstdint>

#include "driver/execution_record.h"

namespace ravel {

struct Observed {
  std::uint32_t left_out = 0;  // findings beyond what a record holds
  bool truncated = false;      // some table was full: there may be more
};

// Fills in races and detections of the detectors whose bits are set (detect/detector_table.h).
Observed observe(ExecutionRecord& record, std::uint64_t detectors);

}  // namespace ravel
