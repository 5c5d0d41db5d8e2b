// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// One campaign by worker processes, forked from the process that stands where executions begin. A worker that dies is
// replaced, and the new one goes on from the arena in shared memory.
#pragma once

#include <cstdint>

#include "runtime/entry/takeover.h"
#include "wire/shared_block.h"

namespace ravel {

struct ServiceOptions {
  std::uint64_t milliseconds = 0;  // the workers are asked to stop then; 0: never
  const int* streams = nullptr;    // three descriptors that a worker takes for its standard streams
};

// True when the campaign is over; false when workers died in a row (control.error says so).
bool serve_campaign(SharedBlock& block, const rt::ExecutionStart& start, const ServiceOptions& options);

}  // namespace ravel
