// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What detectors find in a traced free run. Those that need the exact order of plain accesses, that predict (a free run
// cannot be driven anywhere) or that look at how an execution got stuck are off in free-running mode.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/free_report.h"
#include "report/free_trace.h"
#include "symbols/symbolizer.h"

namespace ravel {

// Of the detectors, as bits: those that work on free runs.
std::uint64_t free_detectors();
// The names of those among `detectors` that do not, separated by commas.
std::string not_in_free_mode(std::uint64_t detectors);

struct FreeDefects {
  std::vector<FreeFinding> found;  // each once
  std::vector<std::string> notes;  // about races that are the library's own
  bool truncated = false;
};
FreeDefects find_free_defects(FreeTrace& trace, const FreeRecord& run, std::uint64_t detectors, Symbolizer& symbolizer);

}  // namespace ravel
