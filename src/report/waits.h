// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Deadlocks in words: each blocked thread, what it waits for, who holds it and since where, and the cycle of waiting.
#pragma once

#include <string>
#include <vector>

#include "report/names.h"

namespace ravel {

struct WaitReport {
  std::vector<std::string> lines;
  std::vector<ThreadIndex> threads;  // of the cycle if there is one, else all that wait
  LocationId location = 0;           // where the first of them stands
  ContextId context = 0;
};

WaitReport explain_waits(Names& names);
// A loop that re-reads several values stands at one of them by chance: the one to name is the atomic, whatever pointers
// lead to it.
WaitingRecord what_is_awaited(const ExecutionRecord& record, const WaitingRecord& waiting);
// The cycle through `holder` links, starting with its lowest thread; empty if there is none.
std::vector<ThreadIndex> wait_cycle(const std::vector<WaitingRecord>& waiting);

}  // namespace ravel
