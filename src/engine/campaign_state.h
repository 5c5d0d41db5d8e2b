// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What a campaign knows, at the start of SharedBlock::arena. A worker may be SIGKILLed at any instruction; the next one
// goes on from here. Three kinds of members:
//   counters    two slots: the state after n executions; execution n + 1 takes effect by one store
//   lists       (findings, points) grow behind a count that is in the counters; what is beyond it does not exist
//   derived     (SharedBlock::racy, progress, the fingerprint table) written after the commit, and again on restart
#pragma once

#include <cstdint>

#include "base/arena.h"
#include "base/two_slots.h"
#include "detect/training.h"
#include "engine/distinct_keys.h"
#include "engine/findings.h"
#include "engine/location_set.h"
#include "engine/outcomes.h"
#include "engine/sections.h"
#include "explore/strategy_table.h"
#include "wire/shared_block.h"

namespace ravel {

inline constexpr std::size_t kOperationKinds = static_cast<std::size_t>(OpKind::kCount);

// What the executions of one part brought.
struct PartCounters {
  std::uint64_t executions = 0;
  std::uint64_t distinct = 0;
  std::uint64_t findings = 0;
};

struct Counters {
  std::uint64_t executions = 0;  // since the search last started over
  std::uint64_t steps = 0;
  std::uint64_t decisions = 0;
  std::uint64_t blocked = 0;
  std::uint64_t abandoned = 0;
  std::uint64_t cut = 0;
  std::uint64_t step_limit = 0;  // learnt from the first execution; 0: not yet
  std::uint64_t choices = 0;
  std::uint64_t callouts = 0;
  std::uint64_t digest = 0;         // over fingerprints and outcomes of all executions, in order
  std::uint64_t fingerprint = 0;    // replay: of the reference
  std::uint64_t points_offset = 0;  // sorted copy of the point set in force, in the arena
  std::uint64_t shared_offset = 0;  // ... of the larger set, for executions with shared points
  std::uint64_t last_new = 0;       // execution after which something was seen for the first time
  std::uint64_t dropped_findings = 0;
  std::uint64_t dropped_outcomes = 0;
  std::uint64_t operations[kOperationKinds] = {};
  LocationId shortened = 0;        // ExecutionResult::shortened, of the first execution that has it
  std::uint32_t points = 0;        // in force
  std::uint32_t points_known = 0;  // found; in force from the next batch on
  std::uint32_t points_version = 0;
  std::uint32_t shared = 0;  // the same of the larger set
  std::uint32_t shared_known = 0;
  PartCounters parts[kMaxStrategyParts] = {};
  std::uint32_t restarts = 0;  // of an exhaustive search, because the point set grew
  std::uint32_t mismatches = 0;
  std::uint32_t max_threads = 0;
  std::uint32_t findings = 0;
  std::uint32_t outcomes = 0;
  std::uint32_t goal_level = 0;
  std::uint64_t goal_states = 0;
  DistinctKeys::Counts traces;     // by fingerprint
  DistinctKeys::Counts sequences;  // by SequencePrint
  CoverCounts cover;
  OutcomeKind outcome = OutcomeKind::kNotRun;  // of the last execution; replay: of the reference
  std::uint8_t truncated = 0;                  // races may have been missed
  std::uint8_t ended = 0;                      // a defect ended the campaign, or there is nothing to test
  EarlyEnd early_end = EarlyEnd::kNone;
};

struct CampaignState {
  static constexpr std::uint64_t kMagic = 0x6e676961706d6163ull;
  static constexpr std::uint32_t kMaxDistinct = 1u << 20;
  static constexpr std::uint32_t kMaxSequences = 1u << 19;

  std::uint64_t magic = 0;                // set last
  const void* code = nullptr;             // something of ours in memory: objects here have addresses of functions
  Arena* memory = nullptr;                // lasts as long as the campaign
  StrategyParts parts;                    // strategy == nullptr: a replay
  bool searches_tree = false;             // StrategyRow
  bool follows_goal = false;              // StrategyRow
  bool needs_target = false;              // ... likewise
  bool idle = false;                      // another shard does it all
  bool fixed_points = false;              // the set of points is the driver's
  MetricId by_metric = MetricId::kCount;  // that the strategy goes by
  std::uint64_t attempted = 0;            // execution that was begun last, and how often
  std::uint32_t attempts = 0;
  std::uint64_t steps_before = 0;  // of a campaign that was resumed: its budget begins here
  TwoSlots<Counters> counters;
  Sections sections;  // everything else that lasts: see Lasting
};

// What the engine keeps in sections. Opened when a worker starts; the pointers are its own.
struct Lasting {
  explicit Lasting(CampaignState& state, bool explores)
      : findings(state.sections.open<Findings>(*state.memory, "findings")),
        outcomes(state.sections.open<Outcomes>(*state.memory, "outcomes")),
        points(state.sections.open<LocationSet>(*state.memory, "points")),
        shared(state.sections.open<LocationSet>(*state.memory, "shared points")),
        // Untouched memory of the block, so it is zero already; writing it would cost more than a short campaign.
        traces(open_keys(state, explores, "fingerprints", CampaignState::kMaxDistinct)),
        sequences(open_keys(state, explores, "sequences", CampaignState::kMaxSequences)) {}

  Findings& findings;
  Outcomes& outcomes;
  LocationSet& points;
  LocationSet& shared;  // of executions with shared points in a campaign with racy ones; has the racy ones too
  DistinctKeys traces;
  DistinctKeys sequences;
  Training* training = nullptr;  // of detectors that learn; null: none was asked for

 private:
  static DistinctKeys open_keys(CampaignState& state, bool explores, const char* name, std::uint32_t most) {
    return {explores ? state.sections.open_bytes(*state.memory, name, GrowingSet::bytes_for(most)) : nullptr, most};
  }
};

}  // namespace ravel
