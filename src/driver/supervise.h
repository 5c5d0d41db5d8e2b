// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// One campaign as the driver sees it: start a session per shard, watch them, stop them in time, merge what they
// report. The exploring itself happens in the workers. Findings come back as seeds: nothing is believed before it was
// replayed in a fresh process (replay.h).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "driver/budget.h"
#include "driver/checkpoint.h"
#include "driver/execution_record.h"
#include "driver/limits_seen.h"
#include "driver/session.h"
#include "model/text/result.h"

namespace ravel {

struct CampaignOptions {
  ProgramStart program;
  std::string strategy = "portfolio";  // name[,key=value...]
  std::uint64_t seed = 0;
  Budget budget;
  std::uint32_t jobs = 1;
  bool one_tree = false;          // the jobs search one tree, else each has a part of its own
  std::uint32_t shard_index = 0;  // this is one of several campaigns that share the work
  std::uint32_t shard_count = 1;
  std::uint64_t hang_ms = 10'000;
  bool open_first = false;  // the first execution decides the limit of steps of the others
  std::int32_t expect_exit = 0;
  bool keep_going = false;
  bool verify = false;
  bool outcomes = false;  // list the combinations of observed values
  CheckpointOptions checkpoint;
  Isolation isolation = Isolation::kAuto;
  std::uint64_t detectors = 1;  // as Campaign::detectors
  std::uint64_t training = 0;   // as Campaign::training
  bool explore_calls =
      false;  // each call of ravel::explore() is a campaign; a program that makes none is one as a whole
  PlanSpec base;
  std::vector<Segment> schedule;  // of strategies that work on a plan: its schedule and its points
  std::vector<LocationId> racy;
};

// One call of ravel::explore().
struct ExploredCall {
  std::uint32_t call = 0;  // from 1
  std::string name;
  std::uint64_t executions = 0;
  std::uint64_t distinct_traces = 0;
  bool complete = false;
  std::uint64_t found = 0;
};

// A failing execution, with all that is needed to run it again.
struct FoundSeed {
  std::uint64_t key = 0;
  OutcomeKind kind = OutcomeKind::kNotRun;
  FindingSource source = FindingSource::kOutcome;
  std::uint64_t execution = 0;
  std::uint32_t shard = 0;
  std::uint32_t times_seen = 0;
  bool from_saved_plan = false;  // of an earlier campaign
  PlanSpec plan;
  std::vector<Segment> schedule;
  std::vector<LocationId> racy;
};

// How far a campaign was at one moment.
struct CampaignSample {
  double seconds = 0;
  std::uint64_t executions = 0;
  std::uint64_t distinct_traces = 0;
  std::uint64_t found = 0;
};

// A combination of observed values, and the schedule of an execution that ended with it.
struct FoundOutcome {
  OutcomeKind kind = OutcomeKind::kNotRun;
  std::vector<Observation> observations;  // by name
  std::uint64_t count = 0;
  PlanSpec plan;
  std::vector<Segment> schedule;
  std::vector<LocationId> racy;
};

struct CampaignResult {
  std::uint64_t executions = 0;
  std::vector<std::uint64_t> executions_by_job;
  std::uint64_t steps = 0;
  std::uint64_t decisions = 0;
  std::uint64_t trace_digest = 0;     // equal for campaigns that saw the same traces and outcomes in the same order
  std::uint64_t distinct_traces = 0;  // with several shards: of the shard that saw most, or of all if no two can meet
  std::uint64_t blocked = 0;
  std::uint64_t cut = 0;          // of them, by the limit of steps
  std::uint64_t with_choice = 0;  // executions with a real choice
  std::uint64_t callouts = 0;
  std::uint32_t threads_max = 0;
  std::uint32_t worker_restarts = 0;
  std::uint32_t mismatches = 0;
  std::uint64_t notes = 0;  // RuntimeNote bits
  LimitsSeen limits;
  std::array<std::uint64_t, static_cast<std::size_t>(OpKind::kCount)> operations{};
  Isolation isolation = Isolation::kAuto;  // the slowest that some shard had to use; kAuto: nothing was run
  std::string isolation_reason;            // why it is not a faster one
  std::uint64_t isolation_verified = 0;    // executions that were run again in a child and were equal
  std::uint64_t isolation_doubtful = 0;    // executions that may have begun with what another one left behind
  std::string strategy_note;
  std::uint32_t shards = 0;
  std::uint32_t bounds = 0;         // of a search by bounds: how many all shards have covered
  std::uint64_t estimate = 0;       // executions of the whole search; 0: no idea
  std::uint64_t estimate_low = 0;   // ... at least, probably
  std::uint64_t estimate_high = 0;  // ... at most, probably
  double seconds = 0;
  bool complete = false;
  bool promise_kept = false;  // complete, or what the strategy was asked for is
  bool interrupted = false;
  std::string trouble;                // a zygote that died twice, a worker that had to be killed: said, not hidden
  std::vector<CampaignSample> curve;  // from the start to the end, at most some hundred
  std::vector<FoundSeed> found;       // one per key, in the order of discovery
  std::vector<FoundOutcome> outcomes;
  std::vector<ExploredCall> calls;
  std::string explore_name;
  bool from_saved_plans = false;  // nothing was explored: a plan of an earlier campaign failed again
  bool program_ended = false;     // without the explore() call that was asked for
  std::string end_text;           // how, in words
  std::int32_t exit_status = 0;
};

// Called every few hundred milliseconds with the sums so far.
using ProgressListener = std::function<void(const CampaignResult& so_far)>;

Result<CampaignResult> supervise_campaign(const CampaignOptions& options, const ProgressListener& listener);

}  // namespace ravel
