// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// Runs one plan with its schedule in a fresh process and brings back everything that happened. Used to confirm
// findings, by `ravel replay`, and to name a schedule before it is saved.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "driver/budget.h"
#include "driver/coverage_data.h"
#include "driver/execution_record.h"
#include "driver/facts_memory.h"
#include "driver/limits_seen.h"
#include "driver/sequence_list.h"
#include "driver/session.h"
#include "model/plan.h"
#include "model/text/result.h"

namespace ravel {

struct ReplayOptions {
  ProgramStart program;
  PlanSpec plan;
  std::vector<Segment> prefix;
  std::vector<LocationId> racy;
  SequenceList sequence;
  std::uint32_t repeat = 1;
  std::int32_t expect_exit = 0;
  std::uint64_t hang_ms = 10'000;
  std::uint64_t busy_ms = 10'000;
  std::uint64_t detectors = 1;  // as Campaign::detectors
  Deadline deadline;            // an execution that has not ended by then is an error
  int export_fd = -1;           // all events are written here as well
  CoverageRequest coverage;
  std::shared_ptr<const FactsMemory> facts;  // of a guided search: whether its sequence is observed again
};

struct ReplayResult {
  ExecutionRecord record;  // of the last run
  std::uint64_t runs = 0;
  std::uint32_t mismatches = 0;  // runs whose trace differed from the first
  std::uint64_t notes = 0;
  LimitsSeen limits;
  bool interrupted = false;
  std::vector<CoverageData> coverage;
};

Result<ReplayResult> run_replay(const ReplayOptions& options);

// What searches need beside the events: one operand for each of them.
struct ReplayedSteps {
  ReplayResult result;
  std::vector<std::uint64_t> operands;
  std::vector<DecisionRecord> decisions;
  std::vector<PendingRecord> pending;
};
Result<ReplayedSteps> replay_with_steps(ReplayOptions options);

// Becomes `command` (gdb with the program) with the plan ready for the first process that asks. Returns on error only.
Error become_debugger(const ReplayOptions& options, const std::vector<std::string>& command);

}  // namespace ravel
