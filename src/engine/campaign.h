// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The main loop: strategy -> plan -> execution -> analysis -> strategy. Runs in the worker; everything it must not lose
// is in the block, so it can be killed at any time and called again by another worker: the interrupted execution is run
// again and nothing is counted twice.
#pragma once

#include "engine/event_sink.h"

namespace ravel {

struct SharedBlock;

// Runs or continues the campaign that block.campaign describes (kExplore, kReplay) until it is over, then sets
// progress.done. The block is zeroed memory but for what the driver wrote.
void run_campaign(SharedBlock& block, Executor& executor);

}  // namespace ravel
