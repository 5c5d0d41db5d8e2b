// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What `run` and `replay` have to tell, as values: every output format renders one of these and nothing else.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "driver/campaign_result.h"
#include "model/exit_code.h"
#include "model/verdicts.h"
#include "report/coverage.h"
#include "report/finding.h"
#include "report/limits.h"

namespace ravel {

// A plan of an earlier campaign that was tried before this one.
struct SavedPlan {
  std::string plan;  // its file
  SavedPlanState state = SavedPlanState::kDoesNotFit;
  std::string reason;  // why it does not fit
};

// Of a guided search: its sequence of places, and how far executions came along it.
struct GoalReport {
  std::vector<std::string> places;  // empty: there was none
  std::uint32_t observed = 0;       // the most of them, in order
  bool reached = false;             // all, and again in a fresh process
  std::string plan;                 // of that execution
  std::string outcome;              // how it ended
  std::uint64_t execution = 0;      // its number
  std::uint64_t states = 0;         // pairs of a decision and a thread that were ranked
};

// One exploration of strategy slice.
struct SliceRoundReport {
  std::vector<std::string> threads;        // that it interleaves
  std::vector<std::string> added_threads;  // ... of them, since the round before
  std::vector<std::string> lines;          // at which it does
  std::vector<std::string> added_lines;
  std::string grain;  // access or line
  std::uint64_t executions = 0;
  std::uint64_t states = 0;  // choices between two or more threads
  double seconds = 0;
  std::string end;  // "explored", "error", "budget"
};

struct SliceReport {
  std::vector<std::string> targets;  // empty: another strategy
  std::vector<SliceRoundReport> rounds;
  std::string verdict;  // "error", "no-error", "budget"
  std::string reason;   // of the verdict, if there is more to say
  std::uint64_t states = 0;
};

// Of --valid: the sequences of a campaign against a specification.
struct JudgedSequence {
  std::string found;   // class: "pass", "computation-failure", ...
  std::string events;  // that the specification names
  std::string outcome;
  std::string file;  // of one that is no pass
};
struct MissingSequence {
  std::string events;
  std::string file;  // that asks for it; empty: none could be written
};
struct ValidityReport {
  std::string specification;  // file; empty: there was none
  std::vector<JudgedSequence> sequences;
  std::vector<MissingSequence> missing;
  std::size_t not_judged = 0;  // the time ended before they were run again
  bool all_known = false;      // the search was complete: what is missing never comes
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
  bool by_default = false;                                       // nobody gave a budget
  std::vector<std::pair<std::string, std::string>> conventions;  // of an exhaustive search: what was counted how
  bool vacuous = false;
  std::string reason;  // why the exit code is what it is, when it is not 0 or 1
  ExitCode exit_code = kExitClean;
  CampaignResult campaign;
  std::vector<SavedPlan> saved;
  std::vector<Finding> findings;
  std::vector<Finding> potential;          // predicted by a detector, not confirmed by an execution
  std::vector<Finding> doubtful;           // may be due to synchronisation that Ravel does not see (doubts.h)
  std::vector<std::string> not_confirmed;  // findings that could not be reproduced
  std::vector<std::string> notes;          // what the machine lacks, what was left out
  std::vector<UncontrolledCall> uncontrolled;
  std::string first_difference;                  // --verify: where two runs of one plan differ; empty: nowhere
  std::shared_ptr<const TaskCoverage> coverage;  // if it was measured
  std::string coverage_file;
  GoalReport goal;
  SliceReport slice;
  ValidityReport validity;
};

struct ReplayReport {
  std::string program;
  std::string plan;      // file or seed string
  std::string expected;  // outcome in the plan; empty if none
  std::string outcome;
  ReplayEnd end = ReplayEnd::kClean;
  std::string reason;
  std::uint64_t runs = 0;
  std::uint64_t mismatches = 0;
  std::uint64_t steps = 0;
  std::uint64_t events = 0;
  std::uint64_t hash = 0;
  std::uint64_t fingerprint = 0;
  std::vector<Observation> observations;
  ExitCode exit_code = kExitClean;
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
  ExitCode exit_code = kExitClean;
  std::vector<Finding> findings;
};

struct VerifyFixReport {
  std::string program;
  std::string plan;
  FixState state = FixState::kCouldNotTest;
  std::string reason;
  std::uint32_t preemptions = 0;  // schedules with at most so many
  std::uint64_t executions = 0;
  std::uint64_t near_executions = 0;  // of these, near the plan's schedule
  bool complete = false;              // all of them
  FoundBy found_by = FoundBy::kNothing;
  std::size_t not_confirmed = 0;
  ExitCode exit_code = kExitClean;
  std::vector<Finding> findings;
};

}  // namespace ravel
