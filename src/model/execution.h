// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// What one execution leaves behind besides its events: how it ended, who waits for what, which choices there were.
// Plain data, kept in shared memory (wire/); model/trace_view.h is how explore/ and detect/ see it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "model/detection.h"
#include "model/event.h"
#include "model/goal.h"
#include "model/guide.h"
#include "model/outcome.h"

namespace ravel {

inline constexpr std::uint32_t kMaxSegments = 1u << 22;
inline constexpr std::uint32_t kMaxDecisions = 1u << 20;
inline constexpr std::uint32_t kMaxRacyLocations = 1u << 14;
inline constexpr std::uint32_t kMaxThreads = 1u << 18;  // created in one execution
inline constexpr std::uint32_t kMaxObjects = 1u << 20;  // touched in one execution; further ones are "unknown"
inline constexpr std::uint32_t kMaxWaiting = 4096;
inline constexpr std::uint32_t kMessageBytes = 1024;
inline constexpr std::uint32_t kMaxObservations = 256;  // different names in one execution
inline constexpr std::uint32_t kMaxLabels = 256;
inline constexpr std::uint32_t kMaxFaultRecords = 16;

// Who it is that a thread waits for.
enum class HolderRole : std::uint8_t {
  kOwner,   // holds the lock
  kAhead,   // waits for the lock too, and comes first
  kRunner,  // runs the one-time initialisation
  kJoined,  // has to end
};

// Where a thread stands that cannot go on, for deadlock and step-limit reports.
struct WaitingRecord {
  ThreadIndex thread = 0;
  OpKind wants = OpKind::kNone;  // the pending operation
  std::uint8_t spinning = 0;     // waits by re-reading an unchanged value
  HolderRole role = HolderRole::kOwner;
  std::uint8_t pad = 0;
  ObjectId object = 0;
  std::uint32_t offset = 0;
  LocationId location = 0;
  ContextId context = 0;
  ThreadIndex holder = kNoThread;  // who could let it go on; `role` says how
  LocationId held_since = 0;       // where the holder took it
  ContextId held_context = 0;
  std::uint32_t pad2 = 0;
};
static_assert(sizeof(WaitingRecord) == 40);

// TraceView::operands of an event that was no scheduling point.
inline constexpr std::uint64_t kNoPoint = 0x9e6f1c3ba7d25f41ull;

// What a thread was about to do when the execution ended, for plans by step.
struct PendingRecord {
  Event operation;
  std::uint64_t operand = 0;
  std::uint32_t spinning = 0;
  std::uint32_t begun = 0;  // had passed its point when the execution ended in the middle of it: there is no event
};
static_assert(sizeof(PendingRecord) == 48);

// ravel::observe: the last value of each name, as text.
struct ObservationRecord {
  char name[40] = {};
  char value[88] = {};
};
static_assert(sizeof(ObservationRecord) == 128);

// ravel::label: a name for reports.
struct LabelRecord {
  ObjectId object = 0;
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
  char name[52] = {};
};
static_assert(sizeof(LabelRecord) == 64);

// A failure that was injected, and where.
struct FaultRecord {
  std::uint32_t fault = 0;  // one bit of PlanSpec::faults
  ThreadIndex thread = 0;
  LocationId location = 0;
  ContextId context = 0;
};
static_assert(sizeof(FaultRecord) == 16);

// One end of a heap block's life, or its use afterwards.
struct HeapStep {
  ThreadIndex thread = 0;
  LocationId location = 0;
  ContextId context = 0;
};
// Of outcomes that are about the heap: the block; the last step is ExecutionResult's own thread, location and context.
struct HeapRecord {
  HeapStep allocated;
  HeapStep freed;  // location 0: it is alive
  std::uint64_t size = 0;
  std::uint32_t offset = 0;   // of the use within the block; before it, below zero
  std::uint32_t ordinal = 0;  // n-th allocation of its thread
};
static_assert(sizeof(HeapRecord) == 40);

inline constexpr std::uint32_t kMaxEnabled = 1u << 22;    // over all decisions of an execution
inline constexpr std::uint32_t kNotListed = 0xffffffffu;  // data choices, or no room

struct DecisionRecord {
  std::uint32_t chosen = 0;               // thread, or kDataChoice | alternative
  std::uint32_t options = 0;              // how many there were
  ThreadIndex current = kNoThread;        // the thread that ran last, if it could go on
  std::uint32_t enabled_at = kNotListed;  // the threads that could run, ascending, in TraceView::enabled
};
static_assert(sizeof(DecisionRecord) == 16);

struct ExecutionResult {
  std::atomic<std::uint64_t> events{0};  // written to the ring so far (total, not modulo)
  std::atomic<std::uint64_t> steps{0};   // scheduling points passed; the watchdog looks at it
  OutcomeKind outcome = OutcomeKind::kNotRun;
  std::uint8_t started = 0;        // the program's first instruction was reached
  std::uint8_t finished = 0;       // the runtime closed the trace itself (else: died underneath us)
  std::uint8_t timeout_fired = 0;  // an adversarial time-out was used
  std::int32_t signal = 0;
  std::int32_t exit_status = 0;
  ThreadIndex thread = 0;  // who failed
  LocationId location = 0;
  ContextId context = 0;
  std::uint32_t threads = 0;    // entries of SharedBlock::threads
  std::uint32_t objects = 0;    // entries of SharedBlock::objects
  std::uint32_t segments = 0;   // entries of SharedBlock::schedule
  std::uint32_t decisions = 0;  // decisions made (records only for the first kMaxDecisions)
  std::uint32_t data_choices = 0;
  std::uint32_t switches = 0;     // context switches
  std::uint32_t preemptions = 0;  // switches away from an enabled thread
  std::uint32_t faults = 0;
  std::uint32_t schedule_truncated = 0;
  std::uint32_t live_at_end = 0;  // threads that had not ended
  std::uint32_t max_live = 0;
  std::uint32_t waiting = 0;      // entries of waiting[]
  std::uint32_t races = 0;        // entries of races[] (written by the worker)
  std::uint32_t detections = 0;   // entries of detection_table[] (written by the worker)
  std::uint32_t diverged_at = 0;  // decision that did not fit
  std::uint32_t expected_thread = 0;
  std::uint32_t prefix_left = 0;    // choices of the prefix that were not reached
  std::uint32_t pending = 0;        // entries of SharedBlock::pending_table
  std::uint32_t sequence_done = 0;  // events of the plan's sequence that have come
  std::uint32_t sequence_at = 0;    // the first that has not, as an index into SharedBlock::sequence
  std::uint32_t sequence_fits = 0;  // all have, and nothing was held back for ever
  std::uint32_t enabled = 0;        // entries of SharedBlock::enabled
  LocationId close_wait = 0;        // of a wait that timed out, while another could have been the first to
  OpKind close_kind = OpKind::kNone;
  std::uint32_t blocked_outside = 0;     // of a hang: in the system, while another thread may have been able to run
  LocationId shortened = 0;              // a loop that counts its unchanged reads, of which some were skipped
  std::uint32_t clock_beside_sleep = 0;  // the program looked at a clock while a thread slept
  std::uint64_t callouts = 0;            // compiler call-outs seen: 0 means not instrumented
  std::uint64_t virtual_ns = 0;
  std::uint64_t fingerprint = 0;   // hash over ids: same build, same trace (written by the worker)
  std::uint32_t observations = 0;  // entries of observation_table[]
  std::uint32_t labels = 0;        // entries of label_table[]
  GuideProgress guide;             // of a guided search
  GoalFates goals;                 // of a plan with goals
  HeapRecord heap;
  FaultRecord fault_table[kMaxFaultRecords] = {};  // `faults` of them, the first
  char message[kMessageBytes] = {};
  WaitingRecord waiting_table[kMaxWaiting] = {};
  RaceRecord race_table[kMaxRaces] = {};
  DetectionRecord detection_table[kMaxDetections] = {};
  ObservationRecord observation_table[kMaxObservations] = {};
  LabelRecord label_table[kMaxLabels] = {};
};

}  // namespace ravel
