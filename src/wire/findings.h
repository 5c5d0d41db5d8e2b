// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What the worker hands over to the driver: executions worth running again, and the first execution of each outcome.
#pragma once

#include <cstdint>

#include "model/outcome.h"
#include "model/plan.h"
#include "model/target.h"

namespace ravel {

inline constexpr std::uint32_t kMaxFindings = 256;
inline constexpr std::uint32_t kMaxOutcomes = 1u << 14;  // different combinations of observed values

enum class FindingSource : std::uint8_t {
  kOutcome,
  kRace,
  kDetector,
  kGoal,  // no defect: the whole sequence of a guided search was observed
};

// A failing execution that the worker found, with all that is needed to run it again. Segments are at `segments_offset`
// in the arena.
struct FindingSeed {
  std::uint64_t key = 0;  // equal for the same defect, see engine/
  OutcomeKind kind = OutcomeKind::kNotRun;
  FindingSource source = FindingSource::kOutcome;
  std::uint8_t pad[6] = {};
  EventPair pair;               // of strategy `explain'
  std::uint64_t execution = 0;  // number within the campaign
  PlanSpec plan;
  std::uint64_t segments_offset = 0;
  std::uint32_t segments = 0;
  std::uint32_t times_seen = 0;
  std::uint64_t racy_offset = 0;  // racy set in force, in the arena
};

// One way in which executions ended: the combination of observed values, and the first execution that had it.
struct OutcomeRecord {
  std::uint64_t key = 0;
  std::uint64_t seen = 0;  // execution that was counted last (upper half) and how many were
  OutcomeKind kind = OutcomeKind::kNotRun;
  std::uint8_t pad[3] = {};
  std::uint32_t observations = 0;         // at `observations_offset` in the arena, ordered by name
  std::uint64_t observations_offset = 0;  // ObservationRecord
  std::uint64_t execution = 0;
  PlanSpec plan;
  std::uint64_t segments_offset = 0;
  std::uint64_t racy_offset = 0;
  std::uint32_t segments = 0;
  std::uint32_t sequence_fits = 0;  // as ExecutionResult
  std::uint32_t sequence_done = 0;
  std::uint32_t pad2 = 0;
};

}  // namespace ravel
