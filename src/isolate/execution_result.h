// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// The shared result of one execution, whichever isolation ran it: emptied before, events taken out of the ring, and
// completed from the way the program ended.
#pragma once

#include "engine/event_sink.h"
#include "model/execution.h"

namespace ravel {

struct SharedBlock;

void reset_result(SharedBlock& block);
// Hands all events that are in the ring to the sink and makes room for more.
void drain_ring(SharedBlock& block, EventSink& sink);
// `wait_status`: as from wait(2).
void conclude_result(ExecutionResult& result, int wait_status);

}  // namespace ravel
