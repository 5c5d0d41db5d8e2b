// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A traced free run as an ExecutionRecord, so that everything that looks at an execution also looks at a free run: what
// its threads recorded, in one order. Synchronisation stands in the order in which it happened, each thread's
// operations in its own; plain accesses of different threads between them by their time stamps, which is near the truth
// and no more. Detectors that need program order and synchronisation order alone are exact (docs/free-running.md).
//
// Recorders are bounded. From the first position on from which all synchronisation is there, every order between two
// events that are kept leads over events that are kept: nothing unordered is invented.
#pragma once

#include <string>

#include "driver/execution_record.h"
#include "driver/free_record.h"
#include "model/coverage.h"
#include "report/trace_coverage.h"

namespace ravel {

struct FreeTrace {
  ExecutionRecord record;
  std::vector<TraceHole> holes;           // in order
  std::vector<FirstFunctions> functions;  // by thread
  std::vector<RaceRecord> overlaps;       // that the threads saw themselves
  bool from_start = true;                 // nothing was overwritten
  // Why orders may be missing, so that nothing can be said about races; empty: none is.
  std::string doubt;
};

FreeTrace trace_free_run(const FreeRecord& run);

}  // namespace ravel
