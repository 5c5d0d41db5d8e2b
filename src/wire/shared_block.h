// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// SharedBlock: the memory that the driver (tool) and the tested process share, one memfd, mapped by the tested process
// at kSharedAddress and by the driver anywhere. Sparse: untouched pages cost nothing.
//
// Who writes what: the driver writes `header`, `campaign`, `sequence` and, for a replay, `plan` + `prefix` before the
// program starts, and `control.stop` at any time. The worker writes `plan`, `prefix`, `racy`, `progress`, `findings`.
// The child that runs the program writes `result`, `schedule`, `decisions`, the tables and the ring. The tested process
// is hostile ground: the driver checks every count and index against the limits below before it uses it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "model/event.h"
#include "model/execution.h"
#include "model/guide.h"
#include "model/kept_pair.h"
#include "model/plan.h"
#include "model/tables.h"
#include "wire/campaign.h"
#include "wire/coverage.h"
#include "wire/execution.h"
#include "wire/findings.h"
#include "wire/isolation.h"
#include "wire/progress.h"
#include "wire/version.h"

namespace ravel {

inline constexpr std::uint64_t kSharedAddress = 0x500000000000ull;
inline constexpr std::size_t kArenaBytes = std::size_t{2} << 30;

struct SharedBlock {
  Header header;
  Control control;
  Campaign campaign;
  Progress progress;
  IsolationState isolation;
  std::atomic<std::uint32_t> uncontrolled_count{0};
  UncontrolledRecord uncontrolled[kMaxUncontrolled];
  DifferenceRecord difference;
  CoverageArea coverage;
  CheckpointMark checkpoint;
  PlanSpec plan;
  ExecutionResult result;
  std::atomic<std::uint32_t> module_count{0};
  std::atomic<std::uint32_t> context_count{1};
  ModuleRecord modules[kMaxModules];
  FrameDistance frame_distances[kFrameSlots];
  FindingSeed findings[kMaxFindings];
  OutcomeRecord outcomes[kMaxOutcomes];
  LocationId racy[kMaxRacyLocations];
  ThreadRecord threads[kMaxThreads];
  FirstFunctions first_functions[kMaxThreads + kMostJobs];  // where coverage is measured
  CodeRange system_code[kMaxSystemCode];                    // code from headers of the system, by start
  ContextRecord contexts[kMaxContexts];
  std::uint32_t context_slots[kContextSlots];
  ObjectRecord objects[kMaxObjects];
  DecisionRecord decisions[kMaxDecisions];
  ThreadIndex enabled[kMaxEnabled];
  Segment prefix[kMaxSegments];
  Segment schedule[kMaxSegments];
  SequenceEvent sequence[kMaxSequence];         // PlanSpec::sequence
  Goal goals[kMaxGoals];                        // PlanSpec::goals
  std::atomic<std::uint64_t> ring_consumed{0};  // events the worker has taken out of the ring
  alignas(64) Event ring[kRingEvents];
  // Beside each event what else is needed to tell how it would have come out elsewhere: of a store or plain write the
  // value before, of another atomic write the value after, of a failed compare-exchange and of a futex wait the value
  // expected, of a signal or data choice the number of alternatives, of an arrival the threads a round; else bit 0: it
  // was timed, above: how often fair time had advanced.
  std::uint64_t operands[kRingEvents];
  PendingRecord pending_table[kMaxWaiting];
  StackPlaceRecord stack_places[kStackPlaces];
  RankedChoice ranked[kMaxRanked];  // of a guided search: result.guide says how many
  VisitedStates visited;            // ... kept by its strategy
  SliceSeen seen;                   // of a sliced search: its policy adds
  KeptPairTable kept;               // of a search by goals
  alignas(4096) unsigned char arena[kArenaBytes];
};

}  // namespace ravel
