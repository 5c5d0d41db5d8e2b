// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The coverage of a trace, from a file or of a free run: the metrics that run beside the program, in the tool.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "model/text/trace_text.h"
#include "report/coverage.h"

namespace ravel {

class CoverSet;
struct TraceView;

// Between or beside these events there were accesses that the trace does not have.
struct TraceHole {
  std::size_t first = 0;
  std::size_t last = 0;  // the first event behind it
};

// All events but the accesses in holes, which are in order.
void look_through(CoverSet& set, const TraceView& trace, std::span<const TraceHole> holes);

TaskCoverage coverage_of(const Trace& trace, std::uint32_t metrics, std::span<const TraceHole> holes = {});

}  // namespace ravel
