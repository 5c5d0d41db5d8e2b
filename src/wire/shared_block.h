// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
//
// SharedBlock: the memory that the driver (tool) and the tested process share, one memfd, mapped by the tested process
// at kSharedAddress and by the driver anywhere. Sparse: untouched pages cost nothing.
//
// Who writes what: the driver writes `header`, `campaign` and, for a replay, `plan` + `prefix` before the program
// starts, and `control.stop` at any time. The worker writes `plan`, `prefix`, `racy`, `progress`, `findings`. The child
// that runs the program writes `result`, `schedule`, `decisions`, the tables and the ring. The tested process is
// hostile ground: the driver checks every count and index against the limits below before it uses it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "model/event.h"
#include "model/outcome.h"
#include "model/plan.h"
#include "model/tables.h"
#include "wire/version.h"

namespace ravel {

inline constexpr std::uint64_t kSharedAddress = 0x500000000000ull;

inline constexpr std::uint32_t kMaxSegments = 1u << 22;
inline constexpr std::uint32_t kMaxDecisions = 1u << 20;
inline constexpr std::uint32_t kMaxRacyLocations = 1u << 14;
inline constexpr std::uint32_t kMaxThreads = 1u << 18;  // created in one execution
inline constexpr std::uint32_t kMaxObjects = 1u << 20;  // touched in one execution; further ones are "unknown"
inline constexpr std::uint32_t kMaxContexts = 1u << 20;
inline constexpr std::uint32_t kContextSlots = 1u << 21;
inline constexpr std::uint32_t kMaxWaiting = 4096;
inline constexpr std::uint32_t kMaxRaces = 64;
inline constexpr std::uint32_t kMaxDetections = 32;
inline constexpr std::uint32_t kMaxRoles = 8;
inline constexpr std::uint32_t kMaxFindings = 256;
inline constexpr std::uint32_t kMaxOutcomes = 1u << 14;  // different combinations of observed values
inline constexpr std::uint32_t kRingEvents = 1u << 20;   // power of two
inline constexpr std::size_t kArenaBytes = std::size_t{2} << 30;
inline constexpr std::uint32_t kMessageBytes = 1024;
inline constexpr std::uint32_t kMaxObservations = 256;  // different names in one execution
inline constexpr std::uint32_t kMaxLabels = 256;
inline constexpr std::uint32_t kMaxFaultRecords = 16;
inline constexpr std::uint32_t kMaxRegionFunctions = 256;

// Where a thread stands that cannot go on, for deadlock and step-limit reports.
struct WaitingRecord {
  ThreadIndex thread = 0;
  OpKind wants = OpKind::kNone;  // the pending operation
  std::uint8_t spinning = 0;     // waits by re-reading an unchanged value
  std::uint16_t pad = 0;
  ObjectId object = 0;
  std::uint32_t offset = 0;
  LocationId location = 0;
  ContextId context = 0;
  ThreadIndex holder = kNoThread;  // who could release it: owner of the lock, joined thread
  LocationId held_since = 0;       // where the holder took it
  ContextId held_context = 0;
  std::uint32_t pad2 = 0;
};
static_assert(sizeof(WaitingRecord) == 40);

// SharedBlock::operands of an event that was no scheduling point.
inline constexpr std::uint64_t kNoPoint = 0x9e6f1c3ba7d25f41ull;

// What a thread was about to do when the execution ended, for plans by step.
struct PendingRecord {
  Event operation;
  std::uint64_t operand = 0;
  std::uint32_t spinning = 0;
  std::uint32_t pad = 0;
};
static_assert(sizeof(PendingRecord) == 48);

struct RaceRecord {
  Event first;
  Event second;
  std::uint64_t first_seq = 0;
  std::uint64_t second_seq = 0;
};
static_assert(sizeof(RaceRecord) == 80);

// An event that plays a part in what a detector found.
struct RoleRecord {
  Event event;
  std::uint64_t sequence = 0;
};
static_assert(sizeof(RoleRecord) == 40);

// What a detector found (detect/detector_table.h): the events in the order the detector's explanation names them.
struct DetectionRecord {
  std::uint64_t key = 0;  // equal for the same defect in every execution of this build
  OutcomeKind kind = OutcomeKind::kNotRun;
  std::uint8_t detector = 0;  // row of the table
  std::uint8_t variant = 0;   // which of the detector's explanations
  std::uint8_t roles = 0;     // entries of role[]
  std::uint32_t number = 0;   // for the explanation; meaning by detector
  RoleRecord role[kMaxRoles] = {};
};
static_assert(sizeof(DetectionRecord) == 336);

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

// Replay: the function whose frame a place on a stack lay in, to name the variable. Hashed by object and offset.
struct StackPlaceRecord {
  ObjectId object = 0;  // 0: free
  std::uint32_t offset = 0;
  LocationId function = 0;  // behind its first call; kSeveralFunctions: frames of more than one lay there
  std::uint32_t frame = 0;  // offset of its frame's upper end (what DWARF calls the CFA); 0: not found
  std::uint32_t stack = 0;  // offset that the stack pointer had in it
};
static_assert(sizeof(StackPlaceRecord) == 20);
inline constexpr LocationId kSeveralFunctions = 0xffffffffu;
inline constexpr std::uint32_t kStackPlaces = 4096;

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
// Of kUseAfterFree and kDoubleFree: the block; the last step is ExecutionResult's own thread, location and context.
struct HeapRecord {
  HeapStep allocated;
  HeapStep freed;
  std::uint64_t size = 0;
  std::uint32_t offset = 0;   // of the use within the block
  std::uint32_t ordinal = 0;  // n-th allocation of its thread
};
static_assert(sizeof(HeapRecord) == 40);

inline constexpr std::uint32_t kMaxEnabled = 1u << 22;    // over all decisions of an execution
inline constexpr std::uint32_t kNotListed = 0xffffffffu;  // data choices, or no room

struct DecisionRecord {
  std::uint32_t chosen = 0;               // thread, or kDataChoice | alternative
  std::uint32_t options = 0;              // how many there were
  ThreadIndex current = kNoThread;        // the thread that ran last, if it could go on
  std::uint32_t enabled_at = kNotListed;  // the threads that could run, ascending, in SharedBlock::enabled
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
  std::uint32_t prefix_left = 0;  // choices of the prefix that were not reached
  std::uint32_t pending = 0;      // entries of SharedBlock::pending_table
  std::uint32_t enabled = 0;      // entries of SharedBlock::enabled
  std::uint64_t callouts = 0;     // compiler call-outs seen: 0 means not instrumented
  std::uint64_t virtual_ns = 0;
  std::uint64_t fingerprint = 0;   // hash over ids: same build, same trace (written by the worker)
  std::uint32_t observations = 0;  // entries of observation_table[]
  std::uint32_t labels = 0;        // entries of label_table[]
  HeapRecord heap;
  FaultRecord fault_table[kMaxFaultRecords] = {};  // `faults` of them, the first
  char message[kMessageBytes] = {};
  WaitingRecord waiting_table[kMaxWaiting] = {};
  RaceRecord race_table[kMaxRaces] = {};
  DetectionRecord detection_table[kMaxDetections] = {};
  ObservationRecord observation_table[kMaxObservations] = {};
  LabelRecord label_table[kMaxLabels] = {};
};

enum class FindingSource : std::uint8_t { kOutcome, kRace, kDetector };

// A failing execution that the worker found, with all that is needed to run it again. Segments are at `segments_offset`
// in the arena.
struct FindingSeed {
  std::uint64_t key = 0;  // equal for the same defect, see engine/
  OutcomeKind kind = OutcomeKind::kNotRun;
  FindingSource source = FindingSource::kOutcome;
  std::uint8_t pad[6] = {};
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
  std::uint32_t pad2 = 0;
};

// Of a block that is kept in a file (--checkpoint): whose it is. Written by the driver.
struct CheckpointMark {
  std::uint64_t campaign = 0;  // hash of what must be the same: program, arguments, strategy, points, ...
  std::uint32_t jobs = 0;
  std::uint32_t shard = 0;
  char program[256] = {};  // for messages
  char strategy[64] = {};
};

// Where the caller's return address stands above an interceptor's frame, for calls out of a library
// (runtime/state/locations.h).
struct FrameLink {
  std::uint64_t distance = 0;
  std::uint64_t pc = 0;  // the return address that stands there
};
inline constexpr std::uint32_t kFrameLinks = 7;
struct FrameDistance {
  std::uint64_t pc = 0;
  std::uint64_t distance = 0;
  std::uint64_t links = 0;
  FrameLink
      through[kFrameLinks];  // the library's own frames in between: another way into the same call is another distance
};
inline constexpr std::uint32_t kFrameSlots = 512;

struct Header {
  std::uint64_t magic = kWireMagic;
  std::uint32_t version = kWireVersion;
  std::uint32_t owner_pid = 0;  // the only process that may take control; 0: the first that asks
  std::uint64_t block_bytes = 0;
};

enum class RunMode : std::uint8_t {
  kExplore,  // a campaign: strategy, many executions
  kReplay,   // run plan + prefix `campaign.repeat` times, compare fingerprints
  kDirect,   // run plan + prefix in this very process, no fork (under a debugger)
};

// How one process runs a program many times; each is faster than the one before, and used only as far as it is equal.
enum class Isolation : std::uint8_t {
  kAuto,      // the fastest that holds for this program
  kFork,      // a child for each execution: the reference
  kRollback,  // in the worker, whose memory is compared and put back afterwards
  kRepeat,    // the same, but only what executions are known to change is put back; proven every so often
};

inline constexpr std::string_view kIsolationNames[] = {"auto", "fork", "rollback", "repeat"};

// Lives as long as the campaign, whatever happens to workers.
struct IsolationState {
  std::atomic<Isolation> mode{Isolation::kAuto};  // in force
  std::atomic<std::uint8_t> inside{0};            // an execution is running inside the worker
  std::atomic<std::uint8_t> start_anew{0};        // what an exhaustive search has learnt so far is in doubt
  std::atomic<std::uint32_t> spoilt{0};           // executions that did what cannot be taken back
  std::atomic<std::uint32_t> deaths{0};           // workers that an execution took with it
  std::atomic<std::uint64_t> doubtful{0};         // executions before such a proof: what they began with is not sure
  std::atomic<std::uint32_t> carriers{0};         // threads to be prepared for, if more than usual
  std::atomic<std::uint64_t> runs{0};             // executions inside a worker
  std::atomic<std::uint64_t> repeats{0};          // of them, put back without a comparison
  std::atomic<std::uint64_t> verified{0};         // of them, found equal to a run in a child
  char reason[160] = {};                          // why it is not a faster one
};

// Code of the program itself, by offsets from its base.
struct CodeRange {
  std::uint32_t start = 0;
  std::uint32_t end = 0;
};

struct Campaign {
  RunMode mode = RunMode::kExplore;
  Isolation isolation = Isolation::kAuto;
  std::uint8_t keep_going = 0;
  std::uint8_t verify = 0;       // run each plan twice
  std::uint8_t show_output = 0;  // let the program's output through
  std::uint8_t outcomes = 0;     // list the combinations of observed values
  std::uint8_t resumed = 0;      // from a checkpoint: `iterations' are further ones
  std::uint32_t shard_index = 0;
  std::uint32_t shard_count = 1;
  std::int32_t tree_fd = -1;   // of a search by several processes: wire/shared_tree.h
  std::uint32_t tree_job = 0;  // which of them this is
  std::uint64_t tree = 0;      // where the runtime has mapped it; 0: the search is this process' alone
  std::int32_t expect_exit = 0;
  char strategy[64] = {};       // name[,key=value...]
  std::uint64_t detectors = 1;  // bit 1 << row of the detectors' table; data races by default
  std::uint64_t training = 0;   // executions at the start that only teach detectors that learn
  std::uint64_t seed = 0;
  std::uint64_t iterations = 0;  // executions of this shard
  std::uint64_t hang_ms = 10'000;
  std::uint32_t repeat = 1;
  std::int32_t export_fd = -1;         // replay: all events are written here too
  char scratch[256] = {};              // folder that holds the working folder of each execution; empty: none
  PlanSpec base;                       // options of the command line: limits, points, time-outs, faults
  std::uint32_t region_functions = 0;  // entries of region_table
  CodeRange region_table[kMaxRegionFunctions] = {};  // functions whose calls are meant to be atomic, by start
};

struct Progress {
  std::atomic<std::uint64_t> executions{0};
  std::atomic<std::uint64_t> steps{0};
  std::atomic<std::uint64_t> decisions{0};
  std::atomic<std::uint64_t> distinct{0};  // different fingerprints seen (exact up to a limit)
  std::atomic<std::uint64_t> digest{0};    // over fingerprints and outcomes of all executions, in order
  std::atomic<std::uint64_t> blocked{0};
  std::atomic<std::uint32_t> findings{0};
  std::atomic<std::uint32_t> outcomes{0};  // entries of SharedBlock::outcomes
  std::atomic<std::uint32_t> worker_restarts{0};
  std::atomic<std::uint32_t> complete{0};      // the strategy has nothing left
  std::atomic<std::uint32_t> promise_kept{0};  // ... or nothing left of what it was asked for
  std::atomic<std::uint32_t> bounds{0};        // how many bounds (0, 1, ...) were covered
  std::atomic<std::uint64_t> estimate{0};      // executions of the whole search; 0: no idea
  std::atomic<std::uint64_t> estimate_low{0};
  std::atomic<std::uint64_t> estimate_high{0};
  std::atomic<std::uint32_t> done{0};         // the campaign is over
  std::atomic<std::uint32_t> mismatches{0};   // --verify / replay: executions whose fingerprint differed
  std::atomic<std::uint32_t> max_threads{0};  // most threads that lived in one execution
  std::atomic<std::uint64_t> choices{0};      // executions with at least one real choice
  std::atomic<std::uint64_t> callouts{0};     // compiler call-outs seen over all executions
  std::atomic<std::uint64_t> operations[static_cast<std::size_t>(OpKind::kCount)] =
      {};                        // events by kind, over all executions
  char strategy_note[256] = {};  // what the strategy says of itself at the end
};

// What the program did that Ravel does not control, one entry per call and place, over all executions.
inline constexpr std::uint32_t kMaxUncontrolled = 64;
struct UncontrolledRecord {
  std::atomic<std::uint32_t> times{0};
  LocationId location = 0;
  char call[24] = {};    // "open", "rdrand"
  char detail[96] = {};  // what is not controlled: "/proc/self/stat"
};
static_assert(sizeof(UncontrolledRecord) == 128);

// --verify and replay --times: the first event in which two runs of one plan differ.
struct DifferenceRecord {
  std::atomic<std::uint32_t> found{0};  // 1: an event differs, 2: only the outcome does
  OutcomeKind first_outcome = OutcomeKind::kNotRun;
  OutcomeKind second_outcome = OutcomeKind::kNotRun;
  std::uint8_t first_ended = 0;   // the first run has no such event
  std::uint8_t second_ended = 0;  // the second run has none
  std::uint64_t execution = 0;    // number of the execution in the campaign, from 0
  std::uint64_t sequence = 0;     // of the event
  Event first;
  Event second;
};

struct Control {
  std::atomic<std::uint32_t> stop{0};  // the driver asks the worker to end after this execution
  std::atomic<std::int32_t> zygote_pid{0};
  std::atomic<std::int32_t> worker_pid{0};
  std::atomic<std::int32_t> child_pid{0};
  std::atomic<std::uint32_t> worker_killed{0};  // the last worker died by somebody else's SIGKILL
  std::atomic<std::uint32_t> ready{0};          // the runtime has taken over
  std::uint32_t error = 0;                      // runtime could not start: message in `error_text`
  char error_text[kMessageBytes] = {};
  std::atomic<std::uint64_t> notes{0};  // bits of RuntimeNote: what was seen but is not controlled
  // Of a program that calls ravel::explore(): the call that is explored, or how the program ended before it.
  std::uint32_t explore_calls = 0;  // reached so far
  std::uint32_t program_ended = 0;
  std::int32_t exit_status = 0;  // -1: it failed, error_text says how
  char explore_name[128] = {};
};

enum RuntimeNote : std::uint64_t {
  kNoteNoFsgsbase = 1u << 0,
  kNoteAslrOn = 1u << 1,
  kNoteOpenMp = 1u << 16,
  kNoteForeignThreads = 1u << 17,
  kNoteHiddenThreads = 1u << 18,
  kNoteProcessShared = 1u << 19,
  kNoteRealTime = 1u << 20,
};

struct SharedBlock {
  Header header;
  Control control;
  Campaign campaign;
  Progress progress;
  IsolationState isolation;
  std::atomic<std::uint32_t> uncontrolled_count{0};
  UncontrolledRecord uncontrolled[kMaxUncontrolled];
  DifferenceRecord difference;
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
  ContextRecord contexts[kMaxContexts];
  std::uint32_t context_slots[kContextSlots];
  ObjectRecord objects[kMaxObjects];
  DecisionRecord decisions[kMaxDecisions];
  ThreadIndex enabled[kMaxEnabled];
  Segment prefix[kMaxSegments];
  Segment schedule[kMaxSegments];
  std::atomic<std::uint64_t> ring_consumed{0};  // events the worker has taken out of the ring
  alignas(64) Event ring[kRingEvents];
  // Beside each event what else is needed to tell how it would have come out elsewhere: of a store or plain write the
  // value before, of another atomic write the value after, of a failed compare-exchange and of a futex wait the value
  // expected, of a signal or data choice the number of alternatives, of an arrival the threads a round; else bit 0: it
  // was timed, above: how often fair time had advanced.
  std::uint64_t operands[kRingEvents];
  PendingRecord pending_table[kMaxWaiting];
  StackPlaceRecord stack_places[kStackPlaces];
  alignas(4096) unsigned char arena[kArenaBytes];
};

}  // namespace ravel
