// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What a campaign brought: one value for a job, for a call of explore(), and for the whole. campaign_fields.h says of
// each member how several are combined and what it is called in JSON.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "driver/coverage_data.h"
#include "driver/execution_record.h"
#include "driver/limits_seen.h"
#include "model/kept_pair.h"
#include "model/operation.h"
#include "model/plan.h"
#include "model/slice.h"
#include "model/target.h"
#include "wire/findings.h"
#include "wire/isolation.h"
#include "wire/progress.h"

namespace ravel {

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
  EventPair pair;  // of strategy `explain'
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
  bool sequence_fits = false;  // the campaign had a sequence, and the execution kept to it
  std::uint32_t sequence_done = 0;
  std::uint64_t trace = 0;  // of a campaign that lists traces: which
};

// How many executions the whole search has, as far as is known.
struct CampaignEstimate {
  std::uint64_t executions = 0;  // 0: unknown
  std::uint64_t low = 0;         // ... at least, probably
  std::uint64_t high = 0;        // ... at most, probably
  friend bool operator==(const CampaignEstimate&, const CampaignEstimate&) = default;
};

// What one part of the strategy did (explore/portfolio_parts.h).
struct PartResult {
  std::uint64_t executions = 0;
  std::uint64_t distinct_traces = 0;
  std::uint64_t found = 0;
  friend bool operator==(const PartResult&, const PartResult&) = default;
};
using PartResults = std::array<PartResult, kMaxStrategyParts>;

using OperationCounts = std::array<std::uint64_t, static_cast<std::size_t>(OpKind::kCount)>;

// Equal for campaigns that saw the same traces and outcomes in the same order. No number to count with.
enum class TraceDigest : std::uint64_t {};

// A new member needs a row in campaign_fields.h: without one nothing compiles.
struct CampaignResult {
  std::uint64_t executions = 0;
  bool complete = false;
  bool promise_kept = false;  // complete, or what the strategy was asked for is
  std::string strategy_note;
  std::uint32_t bounds = 0;  // of a search by bounds: how many all jobs have covered
  CampaignEstimate estimate;
  std::uint64_t behaviours = 0;  // of a search that is complete: executions that it needed by itself
  std::uint64_t steps = 0;
  std::uint64_t decisions = 0;
  std::uint64_t distinct_traces = 0;  // of several jobs: of the one that saw most, or of all if no two can meet
  std::uint64_t sequences = 0;        // different SYN-sequences; of several jobs as distinct_traces
  bool own_sequences = false;         // no two jobs have the same
  std::uint64_t suspects = 0;         // reachability: executions that were analysed and do not count
  Divergence divergence;              // reachability: an event that could not be forced
  TraceDigest trace_digest{};
  std::uint64_t blocked = 0;
  std::uint64_t abandoned = 0;    // a goal was dropped on the way: they are no executions
  ValueCounts values{};           // of a search by goals
  std::vector<KeptPair> kept;     // ... what it has learned of pairs
  std::uint64_t cut = 0;          // of them, by the limit of steps
  std::uint64_t with_choice = 0;  // executions with a real choice
  std::uint64_t callouts = 0;
  std::uint32_t threads_max = 0;
  std::uint32_t goal_level = 0;  // of a guided search: the most places of its sequence observed in order
  // Choices that were seen for the first time; of a guided search pairs of a decision and a thread that were ranked, of
  // a sliced one choices in states that were new.
  std::uint64_t goal_states = 0;
  std::vector<SeenThread> seen;  // of a sliced search: the threads there were
  std::uint64_t unchanged = 0;   // executions since the last that brought something new, when that ended the campaign
  bool saturated = false;        // coverage ended the campaign
  bool all_cut = false;          // every execution was cut, which ended the campaign
  PartResults parts{};           // of a strategy that has parts
  OperationCounts operations{};
  std::vector<ExploredCall> calls;
  std::string explore_name;
  double seconds = 0;
  std::vector<CampaignSample> curve;       // from the start to the end, at most some hundred
  std::string isolation_reason;            // why `isolation` is not a faster one
  Isolation isolation = Isolation::kAuto;  // the slowest that some job had to use; kAuto: nothing was run
  std::uint64_t isolation_verified = 0;    // executions that were run again in a child and were equal
  std::uint64_t isolation_doubtful = 0;    // executions that may have begun with what another one left behind
  bool interrupted = false;
  std::uint32_t mismatches = 0;
  std::uint32_t worker_restarts = 0;
  std::string internal_error;  // our own bug, which ended the campaign
  std::string trouble;         // a zygote that died twice, a worker that had to be killed: reported, not hidden
  std::uint64_t notes = 0;     // RuntimeNote bits
  LimitsSeen limits;
  std::vector<std::uint64_t> executions_by_job;
  std::vector<FoundSeed> found;  // one per key, in the order of discovery
  std::vector<FoundOutcome> outcomes;
  std::vector<CoverageData> coverage;  // of each job, life and call
  bool from_saved_plans = false;       // nothing was explored: a plan of an earlier campaign failed again
  bool program_ended = false;          // without the explore() call that was asked for
  std::string end_text;                // how, in words
  std::int32_t exit_status = 0;
};

}  // namespace ravel
