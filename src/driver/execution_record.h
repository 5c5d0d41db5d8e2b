// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// ExecutionRecord: one finished execution copied out of shared memory. The tested process may have scribbled over what
// it shares, so the copy is where every count, index, kind and string is checked; whoever holds a record may index its
// tables with the ids in its events without looking again.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "model/event.h"
#include "model/outcome.h"
#include "model/plan.h"
#include "model/tables.h"
#include "wire/execution.h"

namespace ravel {

struct SharedBlock;

struct ModuleName {
  std::uint64_t base = 0;
  std::string path;
};

struct Observation {
  std::string name;
  std::string value;
  friend auto operator<=>(const Observation&, const Observation&) = default;
};

// Callers of callers that are looked at: a record may be of rubbish, and go round in circles.
inline constexpr int kMaxContextDepth = 256;

struct ExecutionRecord {
  OutcomeKind outcome = OutcomeKind::kNotRun;
  std::string message;
  bool started = false;
  bool finished = false;
  bool timeout_fired = false;
  int signal = 0;
  int exit_status = 0;
  ThreadIndex thread = 0;  // who failed
  LocationId location = 0;
  ContextId context = 0;
  std::uint64_t total_events = 0;  // events.size(), or more when the beginning was overwritten
  std::uint64_t steps = 0;
  std::uint32_t decisions = 0;
  std::uint32_t switches = 0;
  std::uint32_t preemptions = 0;
  std::uint32_t faults = 0;
  std::uint32_t live_at_end = 0;
  std::uint32_t max_live = 0;
  std::uint32_t diverged_at = 0;
  std::uint32_t expected_thread = 0;
  std::uint32_t prefix_left = 0;
  std::uint32_t goal_level = 0;     // places of a guided search's sequence that were observed in order
  std::uint32_t sequence_done = 0;  // events of the plan's sequence that have come
  std::uint32_t sequence_at = 0;    // the first that has not
  bool sequence_fits = false;       // all have, and nothing was held back for ever
  bool schedule_truncated = false;
  bool blocked_outside = false;  // of a hang: in the system, while another thread may have been able to run
  std::uint64_t callouts = 0;
  std::uint64_t virtual_ns = 0;
  std::uint64_t fingerprint = 0;

  std::vector<Event> events;  // the last of them
  std::vector<ThreadRecord> threads;
  std::vector<ObjectRecord> objects;
  std::vector<ContextRecord> contexts;
  std::vector<ModuleName> modules;
  std::vector<Segment> schedule;
  std::vector<WaitingRecord> waiting;
  std::vector<Event> pending;  // what threads were about to do at the end, of a plan with a schedule
  std::vector<RaceRecord> races;
  std::vector<DetectionRecord> detections;
  std::vector<Observation> observations;  // in the order of the first mention
  std::vector<LabelRecord> labels;
  std::vector<StackPlaceRecord> stack_places;  // of one function each
  std::vector<FaultRecord> injected;           // the first of `faults`
  HeapRecord heap;
  std::uint32_t explore_call = 0;  // 0: the whole program
  std::string explore_name;
  std::vector<std::string> object_names;  // of a trace that was written by hand; else empty
  std::string stdout_text;
  std::string stderr_text;

  [[nodiscard]] std::uint64_t first_sequence() const { return total_events - events.size(); }
};

ExecutionRecord read_execution(const SharedBlock& block);
// Never empty.
std::vector<ModuleName> read_modules(const SharedBlock& block);

// Values of a plan that came out of shared memory, made valid.
void tame_plan(PlanSpec& plan);

// "main.2.1"; bounded for a table that was tampered with.
std::string lineage_of(const std::vector<ThreadRecord>& threads, ThreadIndex thread);

// The text in a fixed array, whether or not it is terminated.
template <std::size_t N>
std::string text_of(const char (&array)[N]) {
  std::size_t length = 0;
  while (length < N && array[length] != 0) ++length;
  return std::string(array, length);
}

}  // namespace ravel
