// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// A data race in words: both accesses, what they saw, and which locks each thread held, computed from the trace.
#pragma once

#include <string>
#include <vector>

#include "report/finding.h"

namespace ravel {

struct RaceReport {
  std::string message;
  std::string identity;  // the two accesses without threads and order
  RaceSides sides;
  std::vector<std::string> lines;
};

RaceReport explain_race(Names& names, const RaceRecord& race);

// A lock that a thread holds, and where it took it.
struct HeldLock {
  ObjectId object = 0;
  std::uint32_t offset = 0;
  LocationId location = 0;
  ContextId context = 0;
  bool shared = false;  // read side of a reader-writer lock
};

// Locks that `thread` holds just before event number `sequence`; exact while the trace reaches back to its start.
std::vector<HeldLock> locks_held(const ExecutionRecord& record, ThreadIndex thread, std::uint64_t sequence);
// The same in words: "shared table (taken map.cpp:9)".
std::vector<std::string> lock_texts(Names& names, ThreadIndex thread, std::uint64_t sequence);

}  // namespace ravel
