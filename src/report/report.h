// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What `run` and `replay` have to tell, as values: every output format renders one of these and nothing else.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/supervise.h"
#include "report/finding.h"
#include "report/limits.h"

namespace ravel {

// A plan of an earlier campaign that was tried before this one.
struct SavedPlan {
  std::string plan;     // its file
  std::string verdict;  // fails, clean, does-not-fit
  std::string reason;   // of the last
};

struct RunReport {
  std::string program;
  std::vector<std::string> arguments;
  std::string build_id;
  std::string strategy;
  std::uint64_t seed = 0;
  std::string points;
  std::string timeouts;
  std::uint32_t jobs = 1;
  std::uint32_t shard_index = 0;
  std::uint32_t shard_count = 1;
  std::vector<std::pair<std::string, std::string>> conventions;  // of an exhaustive search: what was counted how
  bool vacuous = false;
  std::string reason;  // why the exit code is what it is, when it is not 0 or 1
  int exit_code = 0;
  CampaignResult campaign;
  std::vector<SavedPlan> saved;
  std::vector<Finding> findings;
  std::vector<Finding> potential;          // predicted by a detector, not confirmed by an execution
  std::vector<std::string> not_confirmed;  // findings that could not be reproduced
  std::vector<std::string> notes;          // what the machine lacks, what was left out
  std::vector<UncontrolledCall> uncontrolled;
  std::string first_difference;  // --verify: where two runs of one plan differ; empty: nowhere
};

struct ReplayReport {
  std::string program;
  std::string plan;      // file or seed string
  std::string expected;  // outcome in the plan; empty if none
  std::string outcome;
  std::string verdict;  // reproduced, clean, diverged, stopped, interrupted
  std::string reason;
  std::uint64_t runs = 0;
  std::uint64_t mismatches = 0;
  std::uint64_t steps = 0;
  std::uint64_t events = 0;
  std::uint64_t hash = 0;
  std::uint64_t fingerprint = 0;
  std::vector<Observation> observations;
  int exit_code = 0;
  std::vector<Finding> findings;
  std::shared_ptr<const Timeline> timeline;  // of the run, also when it was clean; if a format asked for it
  std::vector<InterleavingLine> stopped_at;  // --until: what led there
  std::vector<std::string> notes;
  std::vector<UncontrolledCall> uncontrolled;
  std::string first_difference;
};

// Of the commands that work on a plan.
struct PlanReport {
  std::string command;
  std::string program;
  std::string plan;
  std::string reason;
  int exit_code = 0;
  std::vector<Finding> findings;
};

struct VerifyFixReport {
  std::string program;
  std::string plan;
  std::string verdict;  // reachable, another-defect, not-reachable, inconclusive, could-not-test
  std::string reason;
  std::uint32_t preemptions = 0;  // schedules with at most so many
  std::uint64_t executions = 0;
  std::uint64_t near_executions = 0;  // of these, near the plan's schedule
  bool complete = false;              // all of them
  std::string found_by;               // plan, near or bounded; empty: not found
  std::size_t not_confirmed = 0;
  int exit_code = 0;
  std::vector<Finding> findings;
};

}  // namespace ravel
